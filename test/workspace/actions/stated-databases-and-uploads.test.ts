/** Errors, limits and state changes that the actions' document states. Those of content are tested with its actions. */
import assert from 'node:assert/strict';
import { WorkPage } from './support/work-page.ts';

type Block = { id: string };

describe("Statements of the actions' document about databases, comments, file uploads and users", () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const ids = () => h().emulator.ids;
  const ok = (id: string, input: object, more = {}) => h().ok(id, input, more);
  const fails = (id: string, input: object, more = {}) => h().fails(id, input, more);
  const database = async (properties: unknown[] = [{ name: 'Name', type: 'title' }]) => {
    const made = await ok('DOCS_CREATE_DATABASE', { title: 'Tasks', parent_id: ids().home, properties });
    return { id: String(made['id']), source: String(made['data_source_id']) };
  };

  describe('databases', () => {
    it('has one title property; without properties a single column Name', async () => {
      const made = await ok('DOCS_CREATE_DATABASE', { title: 'Bare', parent_id: page.id });
      const read = await ok('DOCS_FETCH_DATABASE', { database_id: made['id'] });
      assert.deepEqual(Object.keys(read['properties'] as object), ['Name']);
      for (const properties of [
        [{ name: 'Points', type: 'number' }],
        [
          { name: 'A', type: 'title' },
          { name: 'B', type: 'title' },
        ],
      ])
        assert.match(
          await fails('DOCS_CREATE_DATABASE', { title: 'x', parent_id: page.id, properties }),
          /title/,
        );
    });

    it('a relation needs the related database_id', async () => {
      const properties = [
        { name: 'Name', type: 'title' },
        { name: 'Other', type: 'relation' },
      ];
      const error = await fails('DOCS_CREATE_DATABASE', { title: 'x', parent_id: page.id, properties });
      assert.match(error, /^INVALID_INPUT.*database_id/);
    });

    it('a property goes by its id or its case-sensitive name, URL-encoded too', async () => {
      const { id } = await database([
        { name: 'Name', type: 'title' },
        { name: 'Due date', type: 'date' },
      ]);
      for (const property_id of ['Due date', 'Due%20date'])
        assert.equal(
          (await ok('DOCS_RETRIEVE_DATABASE_PROPERTY', { database_id: id, property_id }))['type'],
          'date',
        );
      assert.match(
        await fails('DOCS_RETRIEVE_DATABASE_PROPERTY', { database_id: id, property_id: 'due date' }),
        /Due date/,
      );
    });

    it('an option of a filter must match the schema exactly; the nearest is named', async () => {
      const { id } = await database([
        { name: 'Name', type: 'title' },
        { name: 'Priority', type: 'select', options: ['High', 'Low'] },
      ]);
      const filter = { property: 'Priority', select: { equals: 'high' } };
      const result = await h().run('DOCS_QUERY_DATABASE_WITH_FILTER', { database_id: id, filter });
      assert.ok(`${result.error ?? ''}${result.raw}`.includes('High'));
    });
  });

  describe('comments', () => {
    it('exactly one of parent_page_id and discussion_id; exactly one of block_id and page_id', async () => {
      const comment = { content: 'x' };
      const both = { parent_page_id: page.id, discussion_id: page.id };
      assert.match(await fails('DOCS_CREATE_COMMENT', { comment }), /^INVALID_INPUT.*exactly one/);
      assert.match(await fails('DOCS_CREATE_COMMENT', { comment, ...both }), /^INVALID_INPUT.*exactly one/);
      assert.match(await fails('DOCS_FETCH_COMMENTS', {}), /^INVALID_INPUT/);
      const two = { page_id: page.id, block_id: ids().home };
      assert.match(await fails('DOCS_FETCH_COMMENTS', two), /^INVALID_INPUT/);
    });

    it('a link is for external URLs only', async () => {
      const comment = { content: 'x', link: page.id };
      const error = await fails('DOCS_CREATE_COMMENT', { comment, parent_page_id: page.id });
      assert.match(error, /^INVALID_INPUT.*external http/);
    });

    it('without the capability the error names it', async () => {
      const token = h().emulator.tokens.noComments;
      const error = await fails('DOCS_FETCH_COMMENTS', { page_id: page.id }, { token });
      assert.match(error, /^MISSING_CAPABILITY \(HTTP 403\).*comments/);
    });
  });

  describe('file uploads', () => {
    it('each mode needs its own parameters, and takes none of another', async () => {
      const https = 'https://example.com/a.pdf';
      for (const input of [
        { mode: 'external_url', filename: 'a.pdf' },
        { mode: 'external_url', external_url: https },
        { mode: 'external_url', external_url: 'http://example.com/a.pdf', filename: 'a.pdf' },
        { mode: 'multi_part', filename: 'a.pdf' },
        { mode: 'multi_part', filename: 'a', number_of_parts: 2 },
        { mode: 'single_part', number_of_parts: 2 },
        { mode: 'single_part', external_url: https },
      ])
        assert.match(await fails('DOCS_CREATE_FILE_UPLOAD', input), /^INVALID_INPUT/, JSON.stringify(input));
      assert.equal(h().emulator.count('POST', '/v1/file_uploads'), 0);
    });

    it('one request takes up to 20 MB, a free workspace 5 MB', async () => {
      const send = (bytes: number, upload: unknown) => ({
        file_upload_id: upload,
        file: { name: 'a.bin', mimetype: 'application/octet-stream' },
        file_content_base64: Buffer.alloc(bytes).toString('base64'),
      });
      const { id } = await ok('DOCS_CREATE_FILE_UPLOAD', { filename: 'a.bin' });
      const mebibyte = 1024 * 1024;
      assert.match(await fails('DOCS_SEND_FILE_UPLOAD', send(20 * mebibyte + 1, id)), /20 MB/);
      assert.match(
        await fails('DOCS_SEND_FILE_UPLOAD', send(5 * mebibyte + 1, id)),
        /^PLAN_LIMIT.*free workspaces: 5 MB/,
      );
      await ok('DOCS_SEND_FILE_UPLOAD', send(5 * mebibyte, id));
    });

    it('parts are numbered from 1 and needed for multi_part only; the last one completes the upload', async () => {
      const token = h().emulator.tokens.other;
      const { id } = await ok(
        'DOCS_CREATE_FILE_UPLOAD',
        { mode: 'multi_part', filename: 'a.txt', number_of_parts: 2 },
        { token },
      );
      const part = (part_number?: number) => ({
        file_upload_id: id,
        file: { name: 'a.txt', mimetype: 'text/plain' },
        file_content_base64: Buffer.alloc(5 * 1024 * 1024, 'a').toString('base64'),
        ...(part_number === undefined ? {} : { part_number }),
      });
      for (const number of [undefined, 0, 3])
        assert.match(await fails('DOCS_SEND_FILE_UPLOAD', part(number), { token }), /^INVALID_INPUT/);
      await ok('DOCS_SEND_FILE_UPLOAD', part(1), { token });
      assert.equal((await ok('DOCS_SEND_FILE_UPLOAD', part(2), { token }))['status'], 'uploaded');
    });

    it('multi_part is for paid workspaces', async () => {
      const input = { mode: 'multi_part', filename: 'a.txt', number_of_parts: 2 };
      assert.ok((await fails('DOCS_CREATE_FILE_UPLOAD', input)).length > 0);
    });

    it('the list is newest first', async () => {
      const first = await ok('DOCS_CREATE_FILE_UPLOAD', { filename: '1.txt' });
      h().emulator.advance(60_000);
      const second = await ok('DOCS_CREATE_FILE_UPLOAD', { filename: '2.txt' });
      const { results } = await ok('DOCS_LIST_FILE_UPLOADS', {});
      assert.deepEqual(
        (results as Block[]).map(({ id }) => id),
        [second['id'], first['id']],
      );
    });
  });

  describe('users', () => {
    it('leaves out guests; about me is the bot of the token', async () => {
      const { results } = await ok('DOCS_LIST_USERS', {});
      assert.ok(!(results as Block[]).some(({ id }) => id === ids().guest));
      const me = await ok('DOCS_GET_ABOUT_ME', {});
      assert.deepEqual([me['type'], me['id']], ['bot', ids().bot]);
      assert.match(String(me['deprecated']), /DOCS_GET_ABOUT_USER/);
    });

    it('without the capability the error names it', async () => {
      const error = await fails('DOCS_LIST_USERS', {}, { token: h().emulator.tokens.noUsers });
      assert.match(error, /^MISSING_CAPABILITY \(HTTP 403\).*user information/);
    });
  });
});
