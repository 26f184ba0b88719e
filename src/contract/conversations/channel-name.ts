/**
 * The names of the channels through which conversations reach Parley. To add a channel, begin with its name here;
 * docs/channels.md lists the other places to change.
 */
import { z } from 'zod';

export const channelNames = ['api', 'whatsapp'] as const;
export const channelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof channelName>;
