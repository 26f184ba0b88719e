/** The channels of conversations. A new channel begins here; docs/channels.md lists what must know it. */
import { z } from 'zod';

export const channelNames = ['api', 'whatsapp'] as const;
export const channelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof channelName>;
