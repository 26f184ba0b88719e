/** The emulator behaves as the Notion API does: protocol, state, trash, validation. */
import assert from 'node:assert/strict';
import { caller, paragraph, words, workbench } from './workspace/caller.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from './workspace/emulator.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from './workspace/json.ts';

describe('workspace emulator', () => {
  let emulator: WorkspaceEmulator;
  let bench: ReturnType<typeof workbench>;

  before(async () => {
    emulator = await startWorkspaceEmulator();
    bench = workbench(emulator.url, emulator.tokens.main, emulator.ids.home);
  });
  after(() => emulator.stop());
  beforeEach(() => {
    emulator.reset();
  });

  const refusal = (reply: { status: number; body: JsonObject }) => [
    reply.status,
    reply.body['code'],
    reply.body['message'],
  ];

  it('1 protocol: path, JSON, token format, token, version are refused in the order and words of the service', async () => {
    const raw = async (path: string, headers: Record<string, string>, body?: string) => {
      const answer = await fetch(
        `${emulator.url}${path}`,
        body === undefined ? { headers } : { method: 'POST', headers, body },
      );
      return asObject((await answer.json()) as Json);
    };
    const version = { 'notion-version': '2025-09-03' };
    const bad = { authorization: 'Bearer ntn_wrong', ...version };
    assert.deepEqual(Object.keys(await raw('/v1/invalid', bad)), [
      'object',
      'status',
      'code',
      'message',
      'request_id',
    ]);
    assert.equal((await raw('/v1/invalid', bad))['message'], 'Invalid request URL.');
    assert.equal((await raw('/v1/search', bad, '{'))['message'], 'Error parsing JSON body.');
    assert.equal(
      (await raw('/v1/users', version))['message'],
      'Authorization header must use the format "Bearer <token>".',
    );
    assert.equal((await raw('/v1/users', bad))['message'], 'API token is invalid.');
    const good = { authorization: `Bearer ${emulator.tokens.legacy}` };
    assert.equal((await raw('/v1/users', good))['code'], 'missing_version');
    assert.equal(
      (await raw('/v1/users', { ...good, 'notion-version': '2024-01-01' }))['code'],
      'validation_error',
    );
    assert.equal(
      (await raw(`/v1/databases/${emulator.ids.home}/query`, { ...good, ...version }, '{}'))['code'],
      'invalid_request_url',
    );
    assert.equal((await raw('/v1/users/me', { ...good, ...version }))['id'], emulator.ids.bot);
  });

  it('1 versions: archived and after before 2026-03-11, in_trash and position from then on', async () => {
    const page = await bench.newPage('Versions');
    assert.equal((await bench.ask('GET', `/v1/pages/${page}`)).body['archived'], false);
    assert.equal(
      'archived' in (await bench.ask('GET', `/v1/pages/${page}`, undefined, '2026-03-11')).body,
      false,
    );
    const first = asString(
      asObject(asArray((await bench.append(page, [paragraph('one')])).body['results'])[0])['id'],
    );
    const place = { position: { type: 'after_block', after_block: { id: first } } };
    assert.equal((await bench.append(page, [paragraph('two')], place)).status, 400);
    assert.equal((await bench.append(page, [paragraph('two')], { after: first }, '2026-03-11')).status, 400);
    assert.equal((await bench.append(page, [paragraph('two')], place, '2026-03-11')).status, 200);
    assert.equal(
      (await bench.ask('PATCH', `/v1/pages/${page}`, { archived: true }, '2026-03-11')).status,
      400,
    );
  });

  it('2 state: what is not shared, and what belongs to another workspace, is not found in the words of a missing page', async () => {
    const { secret, otherHome, home, bot } = emulator.ids;
    for (const id of [secret, otherHome, '00000000-0000-0000-0000-000000000000']) {
      const reply = await bench.ask('GET', `/v1/pages/${id}`);
      assert.deepEqual(refusal(reply), [
        404,
        'object_not_found',
        `Could not find page with ID: ${id}. Make sure the relevant pages and databases are shared with your integration "Emulated connection".`,
      ]);
      assert.deepEqual(reply.body['additional_data'], { integration_id: bot });
    }
    assert.equal((await bench.ask('GET', `/v1/pages/${home}`)).status, 200);
    assert.equal(
      (await caller(emulator.url, emulator.tokens.other)('GET', `/v1/pages/${otherHome}`)).status,
      200,
    );
    emulator.share(emulator.tokens.main, secret);
    assert.equal((await bench.ask('GET', `/v1/pages/${secret}`)).status, 200);
    emulator.unshare(emulator.tokens.main, home);
    assert.equal((await bench.ask('GET', `/v1/pages/${home}`)).status, 404);
  });

  it('2 state: a connection without the capability is refused with 403 and writes nothing', async () => {
    const reader = caller(emulator.url, emulator.tokens.reader);
    assert.equal((await reader('GET', `/v1/pages/${emulator.ids.home}`)).status, 200);
    const write = await reader('PATCH', `/v1/blocks/${emulator.ids.home}/children`, {
      children: [paragraph('no')],
    });
    assert.deepEqual([write.status, write.body['code']], [403, 'restricted_resource']);
    assert.deepEqual(emulator.outline(emulator.ids.home), []);
    assert.equal((await caller(emulator.url, emulator.tokens.noUsers)('GET', '/v1/users')).status, 403);
    assert.equal(
      (
        await caller(emulator.url, emulator.tokens.noComments)(
          'GET',
          `/v1/comments?block_id=${emulator.ids.home}`,
        )
      ).status,
      403,
    );
  });

  it('2 state: a snapshot restores what was there, a reset the seed', async () => {
    await bench.newPage('Kept');
    const before = emulator.snapshot();
    await bench.newPage('Lost');
    emulator.restore(before);
    assert.deepEqual(emulator.outline(emulator.ids.home), ['child_page: Kept']);
    emulator.reset();
    assert.deepEqual(emulator.outline(emulator.ids.home), []);
  });

  it('3 trash: what lies below a trashed page can be read but not edited, and is gone from lists and search', async () => {
    const page = await bench.newPage('Outer');
    const inner = await bench.newPage('Inner', page);
    const block = asString(
      asObject(asArray((await bench.append(inner, [paragraph('x')])).body['results'])[0])['id'],
    );
    assert.equal((await bench.ask('PATCH', `/v1/pages/${page}`, { in_trash: true })).body['in_trash'], true);
    assert.equal((await bench.ask('GET', `/v1/pages/${inner}`)).status, 200);
    const ancestor =
      "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.";
    assert.equal((await bench.ask('DELETE', `/v1/blocks/${block}`)).body['message'], ancestor);
    assert.equal((await bench.ask('PATCH', `/v1/pages/${inner}`, { icon: null })).body['message'], ancestor);
    assert.equal((await bench.append(inner, [paragraph('y')])).body['message'], ancestor);
    const archived = "Can't edit block that is archived. You must unarchive the block before editing.";
    assert.equal((await bench.append(page, [paragraph('y')])).body['message'], archived);
    assert.deepEqual((await bench.ask('POST', '/v1/search', { query: 'Inner' })).body['results'], []);
    assert.deepEqual(
      (await bench.ask('GET', `/v1/blocks/${emulator.ids.home}/children`)).body['results'],
      [],
    );
    assert.equal(
      (await bench.ask('PATCH', `/v1/pages/${page}`, { in_trash: false })).body['in_trash'],
      false,
    );
    assert.equal((await bench.ask('DELETE', `/v1/blocks/${block}`)).body['in_trash'], true);
    assert.equal((await bench.ask('DELETE', `/v1/blocks/${block}`)).body['message'], archived);
    const root = await bench.ask('DELETE', `/v1/blocks/${emulator.ids.home}`);
    assert.equal(root.body['message'], 'Archiving workspace level pages via API not supported.');
  });

  it('4 validation: limits and stray fields are refused with the path and the words of the service', async () => {
    const page = await bench.newPage('Limits');
    const said = async (children: Json[], extra: JsonObject = {}) =>
      asString((await bench.append(page, children, extra)).body['message']);
    const toggle = (children: Json[]): JsonObject => ({ toggle: { rich_text: words('t'), children } });
    const many = (count: number): Json[] => Array.from({ length: count }, () => ({ divider: {} }));
    assert.equal(
      await said(many(101)),
      'body failed validation: body.children.length should be ≤ `100`, instead was `101`.',
    );
    assert.equal(
      await said([paragraph('x'.repeat(2001))]),
      'body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.',
    );
    assert.match(
      await said([toggle([toggle([toggle([paragraph('deep')])])])]),
      /^body failed validation: body\.children\[0\]\.toggle\.children\[0\]\.toggle\.children\[0\]\.toggle\.children should be not present, instead was `\[/,
    );
    assert.equal(
      await said(Array.from({ length: 11 }, () => toggle(many(90)))),
      'body failed validation: the number of block elements should be ≤ `1000`, instead was `1001`.',
    );
    assert.equal(
      await said([], { colour: 'red' }),
      'body failed validation: body.colour should be not present, instead was `"red"`.',
    );
    assert.match(
      await said(
        Array.from({ length: 100 }, () => ({
          paragraph: { rich_text: Array.from({ length: 3 }, () => words('y'.repeat(1900))[0] ?? {}) },
        })),
      ),
      /too large/,
    );
    const missing = await bench.ask('PATCH', `/v1/blocks/${page}/children`, {});
    assert.equal(
      missing.body['message'],
      'body failed validation: body.children should be defined, instead was `undefined`.',
    );
    const wrongId = await bench.ask('GET', '/v1/pages/12345678-1234-1234-1234-123456789abc');
    assert.equal(
      wrongId.body['message'],
      'path failed validation: path.page_id should be a valid uuid, instead was `"12345678-1234-1234-1234-123456789abc"`.',
    );
    const size = await bench.ask('GET', `/v1/comments?block_id=${page}&page_size=101`);
    assert.equal(
      size.body['message'],
      'query failed validation: query.page_size should be ≤ `100` or `undefined`, instead was `101`.',
    );
    const cursor = await bench.ask('GET', `/v1/blocks/${page}/children?start_cursor=bogus`);
    assert.equal(
      cursor.body['message'],
      'query failed validation: query.start_cursor should be a valid uuid or `undefined`, instead was `"bogus"`.',
    );
    assert.deepEqual(emulator.outline(page), []);
  });

  it('4 validation: a database id is no page id, and the reverse', async () => {
    const { database, source } = await bench.newTable({});
    const page = await bench.newPage('A page');
    assert.equal(
      (await bench.ask('GET', `/v1/pages/${database}`)).body['message'],
      `Provided ID ${database} is a database, not a page. Use the retrieve database API instead.`,
    );
    assert.match(
      asString((await bench.ask('GET', `/v1/databases/${page}`)).body['message']),
      new RegExp(`^Provided ID ${page} is a page, not a database\\.`),
    );
    assert.equal((await bench.ask('GET', `/v1/databases/${source}`)).status, 404);
    assert.equal((await bench.ask('GET', `/v1/data_sources/${database}`)).status, 404);
  });
});
