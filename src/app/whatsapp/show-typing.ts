/**
 * Calls `think`, and shows "typing…" to the conversation's contact while `think` runs, unless typing indicators are
 * off. Does not delay the answer, and ignores errors of the gateway and the database.
 * @returns the result of `think`
 * @throws the error of `think`
 */
import { findChannel, openAccess } from '../../adapters/postgres/whatsapp/channels.ts';
import { findContactAddress } from '../../adapters/postgres/whatsapp/sends.ts';
import type { RunView } from '../../adapters/postgres/conversations/runs.ts';
import type { ActivityDeps } from '../deps.ts';

/** Milliseconds before "typing…" is first shown. If the model answers earlier, it is not shown. Chosen. */
const startMs = 500;
/** Milliseconds for which the gateway shows "typing…" after one request; a message ends it earlier. Chosen. */
const shownMs = 25_000;
const renewMs = 20_000;

type TypingDeps = Pick<ActivityDeps, 'db' | 'sleep'> & {
  channel: Pick<ActivityDeps['channel'], 'gateway' | 'encryption' | 'replySettings'>;
};

export async function whileTyping<T>(
  deps: TypingDeps,
  run: Pick<RunView, 'conversation_id'>,
  think: () => Promise<T>,
): Promise<T> {
  if (!deps.channel.replySettings.typing) return await think();
  const over = new AbortController();
  let shown: (() => Promise<void>) | undefined;
  const showing = (async () => {
    await deps.sleep(startMs, undefined, { signal: over.signal });
    for (;;) {
      // Reads the contact again each time, because a human agent may have taken over.
      const contact = await findContact(deps, run.conversation_id);
      if (contact === undefined) return;
      const { gateway } = deps.channel;
      const show = (ms: number) => gateway.showTyping(contact.access, { number: contact.number, ms });
      shown = () => show(0);
      await show(shownMs);
      await deps.sleep(renewMs, undefined, { signal: over.signal });
    }
  })().catch(() => undefined);
  try {
    return await think();
  } catch (error) {
    // Ends "typing…", because no message will follow that ends it.
    void showing.then(() => shown?.()).catch(() => undefined);
    throw error;
  } finally {
    over.abort();
  }
}

/**
 * Finds the contact to whom "typing…" is shown.
 * @returns the contact's number and the channel's credentials; undefined if the conversation has no contact of a
 * channel, if a human agent has taken over, or if the channel is not connected or its credentials were refused
 */
async function findContact({ db, channel: { encryption } }: TypingDeps, conversationId: string) {
  const contact = await findContactAddress(db, conversationId);
  if (contact === undefined || contact.paused) return undefined;
  const row = await findChannel(db, contact.channel_agent_id);
  if (row?.state !== 'connected' || row.credentials_refused_at) return undefined;
  const access = openAccess(encryption, row);
  return access && { access, number: contact.number };
}
