/** The words by which a message is found: what `message_words` makes of its text. */
import assert from 'node:assert/strict';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { backing } from '../../support/backing.ts';

const organization = '01a00000-0000-7000-8000-000000000001';

describe('The words of a message', () => {
  let db: Database;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 1);
  });
  after(() => db.close());

  async function wordsOf(text: string): Promise<string[]> {
    const { rows } = await db.pool.query<{ words: string[] }>(
      'select tsvector_to_array(message_words($1, $2)) as words',
      [organization, text],
    );
    const { words } = rows[0]!;
    assert.ok(words.every((word) => word.startsWith(organization)));
    return words.map((word) => word.slice(organization.length)).sort();
  }

  const cases: [what: string, text: string, words: string[]][] = [
    ['in lower case, each once', 'Order 17: order SHIPPED', ['17', 'order', 'shipped']],
    ['without accents', 'Ação é cafe\u0301', ['acao', 'cafe', 'e']],
    ['between signs and lines', '\n--a_b\\1c\r\n(d)', ['1c', 'a', 'b', 'd']],
    ['of other scripts', 'заказ, 注文', ['заказ', '注文']],
    ['cut to 60 characters', `${'x'.repeat(61)} ${'y'.repeat(60)}`, ['x'.repeat(60), 'y'.repeat(60)]],
    ['of the first 20,000 characters', `${'a '.repeat(10_000)}b`, ['a']],
    ['none', ' … ', []],
    ['none of an empty text', '', []],
  ];
  for (const [what, text, words] of cases) {
    it(what, async () => {
      assert.deepEqual(await wordsOf(text), words);
    });
  }

  it('is inlined, also in the index', async () => {
    await db.pool.query('set enable_seqscan = off');
    const { rows } = await db.pool.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) select from messages where message_words(organization_id, text) @@ 'a'::tsquery`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /messages_by_words/);
    assert.doesNotMatch(plan, /message_words\(/);
  });
});
