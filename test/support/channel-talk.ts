/** Helpers for questions that the tests of the channel repeat. */
import type { ChannelStand } from './channel-stand.ts';

export type Channel = {
  state: string;
  base_url?: string;
  webhook_url?: string;
  connected_number?: string;
  setup?: { steps: string[]; settings: Record<string, unknown> };
  last_error?: { code: string; message: string };
  timelocked_until?: string;
  last_inbound_at?: string;
  session?: { status: string; reason?: string; checked_at: string; down_since?: string; webhook?: string };
  shared_with?: { agent_id: string; agent_name: string }[];
};
type Message = {
  role: string;
  text: string;
  status?: string;
  by_person?: true;
  delivery?: { status: string };
  attachments: { id: string; size: number; content_type: string; url?: string }[];
};
type Conversation = { id: string; paused_until?: string; paused_by?: string; paused_by_name?: string };
export type List<T> = { data: T[] };

export const echoScript = [{ when: '(?s)^(.*)$', reply: 'You wrote: $1' }];

let numbers = 5534990000000;

export function channelTalk({ call, emulator }: ChannelStand) {
  return {
    /** Takes the number over, because all agents of a stand have one gateway. */
    form: () => ({ base_url: emulator.url, instance_token: emulator.instanceToken, take_over: true }),
    /** A customer that nobody has met. */
    newNumber: () => String(++numbers),
    channelOf: async (agentId: string) => (await call<Channel>('GET', `/agents/${agentId}/channel`)).body,
    /** Texts that this customer has received, in order. */
    sentTo: (number: string) => emulator.sent.filter((one) => one.number === number).map((one) => one.shown),
    conversationOf: async (agentId: string) =>
      (await call<List<Conversation>>('GET', `/conversations?agent_id=${agentId}`)).body.data[0]!,
    messagesOf: async (conversationId: string) =>
      (await call<List<Message>>('GET', `/conversations/${conversationId}/messages`)).body.data,
  };
}
