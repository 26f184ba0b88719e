import assert from 'node:assert/strict';
import type { Timeline, TimelineEntry, TimelineRun } from '../../src/contract/conversations/timeline.ts';
import {
  askedAgainAfter,
  merged,
  showsAnswer,
  sinceOf,
  type Shown,
} from '../../src/console/pages/conversations/timeline/timeline-polls.ts';

const run = (
  ordinal: number,
  state: TimelineRun['state'] = 'answered',
  delivery?: 'pending',
): TimelineRun => ({
  kind: 'run',
  ...{ id: crypto.randomUUID(), ordinal, mode: 'single', state, agent_name: null, error: null },
  ...{ opened_at: '', closes_at: '', finished_at: null, follow_up_attempt: null },
  ...{ messages: [], steps: [], model_failures: [] },
  deliveries:
    delivery === undefined
      ? []
      : [
          {
            ...{ id: crypto.randomUUID(), conversation_id: '', event: 'message.completed', url: '' },
            kind: 'callback',
            ...{
              status: delivery,
              created_at: '',
              request_body: null,
              agent_name: null,
              contact: null,
              host: null,
            },
          },
        ],
});
const conversation: Timeline['conversation'] = {
  ...{ id: '', agent_id: '', agent_name: '', target_id: '', channel: 'api', created_at: '', updated_at: '' },
  ...{ assignee: null, done: null },
  ...{ messages: 0, last_text: null, last_role: null, has_failed: false },
  ...{ is_test: false, waits_for_approval: false, waiting_since: null, has_webhook: false, unread: 0 },
};
const page = (entries: TimelineEntry[], older = false): Timeline => ({
  conversation,
  workflow_id: '',
  entries,
  older,
  notes: '0',
});
const shown = (entries: TimelineEntry[], now = 0): Shown => merged(undefined, page(entries), undefined, now);

describe('What the console asks of a timeline', () => {
  it('is only the part that may have changed: from the first unfinished run or held delivery on, and all of it once a minute', () => {
    const ended = [1, 2, 3, 4, 5].map((ordinal) => run(ordinal));
    assert.equal(sinceOf(shown([]), 0), undefined);
    assert.equal(sinceOf(shown(ended), 0), 3);
    assert.equal(sinceOf(shown([...ended, run(6, 'running')]), 0), 4);
    assert.equal(sinceOf(shown([...ended, run(6), run(7, 'answered', 'pending'), run(8)]), 0), 5);
    assert.equal(sinceOf(shown([run(1, 'running')]), 0), 0);
    assert.equal(sinceOf(shown(ended), 60_001), undefined);
  });

  it('joins the known entries without gaps or duplicates', () => {
    const [one, two, three, four] = [run(1), run(2), run(3, 'running'), run(4)];
    const before = shown([one, two, three]);
    const answered = { ...three, state: 'answered' as const };
    const after = merged(before, page([two, answered, four]), 2, 10);
    assert.deepEqual(after.entries, [one, two, answered, four]);
    assert.deepEqual([after.readAt, after.changedAt], [0, 10]);
    assert.equal(merged(after, page([two, answered, four]), 2, 20).changedAt, 10);
    // More came than a page holds.
    assert.deepEqual(merged(before, page([run(50)], true), 2, 30).entries.length, 1);
    assert.deepEqual(merged(before, page([]), 2, 30).entries, [one]);
  });

  it('keeps older runs when all is read again and a page no longer holds them, so that nothing moves for a reader', () => {
    const [one, two, three, four] = [run(1), run(2), run(3), run(4)];
    const before = shown([one, two, three]);
    const again = merged(before, page([two, { ...three, error: 'e' }, four], true), undefined, 60_001);
    assert.deepEqual(again.entries, [one, two, { ...three, error: 'e' }, four]);
    assert.deepEqual([again.readAt, again.older], [60_001, false]);
    // A page without older runs is all that there is: the first was erased.
    assert.deepEqual(merged(before, page([two, three]), undefined, 60_001).entries, [two, three]);
    // Runs between the known ones and the page are missing.
    assert.deepEqual(merged(before, page([run(50)], true), undefined, 60_001).entries.length, 1);
  });

  it('happens less often the longer nothing has changed, never less than every 5 s', () => {
    const held = shown([run(1, 'answered', 'pending')], 0);
    const waits = [0, 1000, 5000, 10_000, 60_000, 36e5].map((now) => askedAgainAfter(held, now));
    assert.deepEqual(waits, [400, 400, 1000, 2000, 5000, 5000]);
    assert.equal(askedAgainAfter(shown([run(1)]), 0), 3000);
    assert.equal(askedAgainAfter(undefined, 0), 3000);
  });

  it('has an answer that still streams once its text is there, also while the run counts as in progress', () => {
    const message = (
      id: string,
      origin: 'user' | 'agent',
      text: string,
    ): TimelineRun['messages'][number] => ({
      ...{
        id,
        origin,
        text,
        agent_name: null,
        agent_version: null,
        of_draft: false,
        model: null,
        credits_used: null,
        at: '',
      },
      pre_transfer: false,
      ...{ replaced: false, truncated: false, unanswered: null, edits: [] },
      ...{ earlier_turns: [], attachments: [] },
    });
    const question = message('q', 'user', 'Hello?');
    const of = (state: TimelineRun['state'], ...said: string[]) => [
      { ...run(1, state), messages: [question, ...said.map((text, n) => message(`a${n}`, 'agent', text))] },
    ];
    const shows = (entries: TimelineEntry[], id = 'q') => showsAnswer(entries, id, 'Hel');
    assert.equal(shows(of('running')), false);
    assert.equal(shows(of('running', 'One moment, I ask a colleague.')), false);
    assert.equal(shows(of('running', 'One moment, I ask a colleague.', 'Hello!')), true);
    assert.equal(shows(of('answered', 'Hello!')), true);
    assert.equal(shows(of('answered', 'Hello!'), 'another'), false);
  });
});
