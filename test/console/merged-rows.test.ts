import assert from 'node:assert/strict';
import { briefly, dayOf, duration, left } from '../../src/console/components/format.ts';
import { mergedRows, type InboxPage } from '../../src/console/pages/conversations/inbox/merged-rows.ts';
import type { ConversationRow } from '../../src/contract/conversations/timeline.ts';

const row = (id: string, updated_at: string): ConversationRow => ({
  ...{ id, updated_at, created_at: updated_at, agent_id: '', agent_name: '', target_id: '', channel: 'api' },
  ...{ assignee: null, done: null },
  ...{ messages: 1, last_text: '', last_role: 'user', has_failed: false, is_test: false },
  ...{ waits_for_approval: false, waiting_since: null, has_webhook: false, unread: 0 },
});
const page = (rows: ConversationRow[], isLast = false): InboxPage => ({
  data: rows,
  next_cursor: isLast ? null : 'more',
  is_partial: false,
});
const ids = (rows: readonly ConversationRow[]) => rows.map(({ id }) => id).join(' ');

describe('The rows of the inbox', () => {
  const [a, b, c, d] = [row('a', '09'), row('b', '08'), row('c', '07'), row('d', '06')];
  const pages = [page([a, b]), page([c, d], true)];

  const cases: [what: string, newest: InboxPage | undefined, rows: string][] = [
    ['before the first poll, those of the pages', undefined, 'a b c d'],
    ['the same, if nothing has changed', page([a, b]), 'a b c d'],
    ['a conversation of a later page is first once its contact writes', page([row('d', '10'), a]), 'd a b c'],
    ['a new conversation is first, and pushes none away', page([row('e', '10'), a]), 'e a b c d'],
    ['one that the filter no longer includes is gone', page([b, c]), 'b c d'],
    ['all that there are, if they are on one page', page([c], true), 'c'],
    ['none, if there are none any more', page([], true), ''],
  ];
  for (const [what, newest, rows] of cases)
    it(`are: ${what}`, () => {
      assert.equal(ids(mergedRows(newest, pages)), rows);
    });

  it('are, with the oldest first: a conversation whose contact writes is gone from its place', () => {
    const loaded = [page([d, c]), page([b, a], true)];
    assert.equal(ids(mergedRows(page([d, c]), loaded, 'oldest')), 'd c b a');
    assert.equal(ids(mergedRows(page([c, b]), loaded, 'oldest')), 'c b a');
  });
});

describe('Times in lists', () => {
  const now = new Date(2026, 10, 23, 12, 0, 0);
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
  const minute = 60;
  const hour = 60 * minute;
  const day = 24 * hour;
  for (const [seconds, text] of [
    [-5, 'now'],
    [59, 'now'],
    [minute, '1m ago'],
    [59 * minute, '59m ago'],
    [hour, '1h ago'],
    [day - 1, '23h ago'],
    [2 * day - 1, '1d ago'],
    [3 * day, '3d ago'],
    [8 * day, 'Nov 15'],
    [400 * day, 'Oct 19, 2025'],
  ] as const)
    it(`are short: ${text}, ${seconds} s later`, () => {
      assert.equal(briefly(before(seconds), now.getTime()), text);
    });

  for (const [seconds, text] of [
    [-1, 'now'],
    [40, 'in 40s'],
    [day - 1, 'in 23h'],
    [2 * day - 1, 'in 1d'],
  ] as const)
    it(`are short before a time too: ${text}, ${seconds} s earlier`, () => {
      assert.equal(left(before(-seconds), now.getTime()), text);
    });

  for (const [seconds, text] of [
    [0, 'today'],
    [12 * hour, 'today'],
    [12 * hour + 1, 'yesterday'],
    [36 * hour, 'yesterday'],
    [3 * day, 'Friday, November 20'],
    [400 * day, 'Sunday, October 19, 2025'],
  ] as const)
    it(`name the day: ${text}, ${seconds} s later`, () => {
      assert.equal(dayOf(before(seconds), now), text);
    });

  for (const [ms, text] of [
    [850, '850 ms'],
    [2300, '2.3 s'],
    [95_000, '1 min 35 s'],
    [5_400_000, '1 h 30 min'],
  ] as const)
    it(`are durations: ${text}`, () => {
      assert.equal(duration(ms), text);
    });
});
