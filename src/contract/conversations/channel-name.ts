/** The channels of conversations. Add a new channel here first; docs/channels.md lists the other places. */
import { z } from 'zod';

export const channelNames = ['api', 'whatsapp'] as const;
export const channelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof channelName>;
