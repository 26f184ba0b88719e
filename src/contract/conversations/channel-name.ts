/**
 * The names of the channels through which conversations reach Parley. A new channel starts here; docs/channels.md
 * lists the other places.
 */
import { z } from 'zod';

export const channelNames = ['api', 'whatsapp'] as const;
export const channelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof channelName>;
