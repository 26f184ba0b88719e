/**
 * The names of the channels through which users write to agents. To add a channel, add its name here; docs/channels.md
 * lists the other places to change.
 */
import { z } from 'zod';

export const channelNames = ['api', 'whatsapp'] as const;
export const channelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof channelName>;
