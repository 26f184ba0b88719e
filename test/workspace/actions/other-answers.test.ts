/**
 * Answers that are not what an action asked for: a proxy's page, an object of an unknown kind, an import in progress.
 */
import assert from 'node:assert/strict';
import { actions } from '../../../src/workspace/registry.ts';
import type { Json } from '../../support/workspace/json.ts';
import { everyAction, rowPlan } from './support/every-action.ts';
import { WorkPage, type Results } from './support/work-page.ts';

describe('An answer from a proxy, of an unknown kind, or before an import is over', () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const faults = () => h().emulator.faults;

  describe('a page of a proxy or firewall in front of the workspace', () => {
    const blocked = (error: string, status: number) => {
      assert.match(
        error,
        new RegExp(`^UPSTREAM \\(HTTP ${status}\\): HTTP ${status} came from a proxy`),
        error,
      );
      assert.doesNotMatch(error, /capability|share the page|made again, in Tools|MISSING|NOT_FOUND/, error);
    };

    it('is never reported as a missing capability, a dead token or an unshared page, by any action', async () => {
      const { inputs } = await everyAction(
        (action, input) => h().ok(action, input),
        h().emulator.ids.home,
        h().emulator.ids.person,
      );
      const model = () => Promise.resolve(rowPlan);
      for (const { id } of actions)
        for (const status of [400, 401, 403, 404]) {
          const fault = faults().add({ fault: { kind: 'proxy-page', status }, times: 1000 });
          const sent = h().emulator.requests.length;
          const result = await h().run(id, inputs[id], { model });
          fault.remove();
          assert.ok(h().emulator.requests.length > sent, id);
          assert.equal(result.successful, false, id);
          blocked(result.error ?? '', status);
        }
    });

    it('in the middle of an action ends it too: nothing is counted as unreadable or as done', async () => {
      await page.add([{ content: 'Outer', block_property: 'toggle' }, { content: 'Second' }]);
      const { results } = await h().ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id });
      const [outer] = results as Results;
      await h().ok('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
        parent_block_id: outer?.id,
        content_blocks: [{ content: 'Inner' }],
      });
      for (const status of [403, 404]) {
        faults().add({ path: `/v1/blocks/${outer?.id}/children`, fault: { kind: 'proxy-page', status } });
        blocked(
          await h().fails('DOCS_FETCH_ALL_BLOCK_CONTENTS', { block_id: page.id, recursive: true }),
          status,
        );
        faults().add({ method: 'DELETE', fault: { kind: 'proxy-page', status } });
        const replace = { page_id: page.id, new_children: [{ content: 'New' }] };
        blocked(await h().fails('DOCS_REPLACE_PAGE_CONTENT', replace), status);
      }
    });

    it('is quoted by its title or message, cut; its text is not read as a code of the workspace', async () => {
      const read = (fault: Parameters<ReturnType<typeof faults>['add']>[0]['fault']) => {
        faults().add({ fault });
        return h().fails('DOCS_RETRIEVE_PAGE', { page_id: page.id });
      };
      assert.match(
        await read({ kind: 'proxy-page', status: 403 }),
        /not from the workspace itself \("Attention Required! \| Cloudflare"\)/,
      );
      const long = `<html><title data-x="1">\n ${'w'.repeat(500)}</title>`;
      assert.match(await read({ kind: 'proxy-page', status: 413, html: long }), /\("w{90,100}"\)/);
      assert.match(
        await read({ kind: 'proxy-page', status: 403, html: '' }),
        /the workspace itself\. Nothing/,
      );
      const gateway = { kind: 'wrong-json', status: 403, body: { message: 'Forbidden' } } as const;
      assert.match(await read(gateway), /^UPSTREAM \(HTTP 403\).*\("Forbidden"\)/);
    });

    it('does not renew the token, which the workspace has not seen', async () => {
      faults().add({ fault: { kind: 'proxy-page', status: 401 }, times: 10 });
      const { error } = await h().run('DOCS_RETRIEVE_PAGE', { page_id: page.id });
      blocked(error ?? '', 401);
      assert.equal(h().emulator.count('GET', `/v1/pages/${page.id}`), 1);
    });

    it('the workspace itself is still trusted: its own 403 is a missing capability', async () => {
      const token = h().emulator.tokens.reader;
      const error = await h().fails('DOCS_DELETE_BLOCK', { block_id: page.id }, { token });
      assert.match(error, /^MISSING_CAPABILITY \(HTTP 403\)/);
    });
  });

  describe('an object of an unknown kind', () => {
    const strange: Json[] = [
      { object: 'agent', id: '38c9ce7b-60a4-81fe-a666-c29fb77166b6', name: 'Helper' },
      { object: 'view', id: 5, parent: null },
      { object: 'page' },
      { object: 'data_source', id: null, properties: [] },
    ];
    const lists = async () => {
      const made = await h().ok('DOCS_CREATE_DATABASE', { title: 'Tasks', parent_id: page.id });
      const [id, data_source_id] = [String(made['id']), String(made['data_source_id'])];
      const properties = [{ name: 'Name', type: 'title', value: 'First' }];
      await h().ok('DOCS_INSERT_ROW_DATABASE', { database_id: id, properties });
      return [
        ['DOCS_SEARCH_DOCS_PAGE', { filter_properties: ['title'] }, '/v1/search'],
        ['DOCS_FETCH_DATA', { fetch_type: 'all' }, '/v1/search'],
        ['DOCS_QUERY_DATA_SOURCE', { data_source_id }, `/v1/data_sources/${data_source_id}/query`],
        ['DOCS_QUERY_DATABASE', { database_id: id }, `/v1/data_sources/${data_source_id}/query`],
      ] as const;
    };

    it('is in the list as the workspace shows it, and so are the other results', async () => {
      for (const [action, input, path] of await lists()) {
        const known = (await h().ok(action, input))['results'] as object[];
        assert.ok(known.length > 0, action);
        const raw = await fetch(`${h().emulator.url}${path}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${h().emulator.tokens.main}`,
            'notion-version': '2025-09-03',
          },
        });
        const answer = (await raw.json()) as { results: Json[] };
        for (const odd of strange) {
          const body = { ...answer, results: [odd, ...answer.results] };
          faults().add({ path, fault: { kind: 'wrong-json', body } });
          const { results } = await h().ok(action, input);
          assert.deepEqual(results, [odd, ...known], `${action} with ${JSON.stringify(odd)}`);
        }
      }
    });
  });

  describe('a filter on a text-like column', () => {
    const types = ['title', 'rich_text', 'url', 'email', 'phone_number'];
    const value = 'https://example.com/?a@b.example';
    let databaseId = '';
    beforeEach(async () => {
      const made = await h().ok('DOCS_CREATE_DATABASE', {
        title: 'Contacts',
        parent_id: page.id,
        properties: types.map((type) => ({ name: type, type })),
      });
      databaseId = String(made['id']);
      await h().ok('DOCS_INSERT_ROW_DATABASE', {
        database_id: databaseId,
        properties: types.map((type) => ({ name: type, type, value })),
      });
    });
    const found = async (filter: object) => {
      const result = await h().ok('DOCS_QUERY_DATABASE_WITH_FILTER', { database_id: databaseId, filter });
      return result;
    };

    for (const type of types)
      it(`${type} takes rich_text and its own type, and finds the row by either, without a note`, async () => {
        for (const key of ['rich_text', type])
          for (const condition of [{ equals: value }, { contains: 'b.example' }, { is_not_empty: true }]) {
            const result = await found({ property: type, [key]: condition });
            assert.deepEqual(
              [result['count'], result['connector_execution_message']],
              [1, undefined],
              `${type} by ${key}`,
            );
          }
      });

    it('what the workspace does not take is rewritten with a note, or refused with the form to use', async () => {
      for (const type of types) {
        const result = await found({ property: type, text: { equals: value } });
        assert.equal(result['count'], 1, type);
        assert.match(
          String(result['connector_execution_message']),
          new RegExp(`given as text and sent as ${type}`),
        );
        const filter = { property: type, number: { equals: 1 } };
        assert.match(
          await h().fails('DOCS_QUERY_DATABASE_WITH_FILTER', { database_id: databaseId, filter }),
          new RegExp(`database property ${type} does not match filter number: use`),
        );
      }
    });
  });

  it('search takes data_source as it takes database, besides page', async () => {
    await h().ok('DOCS_CREATE_DATABASE', { title: 'Work items', parent_id: page.id });
    const objects = async (filter_value: string) =>
      ((await h().ok('DOCS_SEARCH_DOCS_PAGE', { query: 'Work', filter_value }))['results'] as Results).map(
        (item) => (item as unknown as { object: string }).object,
      );
    assert.deepEqual(await objects('data_source'), ['database']);
    assert.deepEqual(await objects('database'), ['database']);
    assert.deepEqual(await objects('page'), ['page']);
  });

  describe('the import of an external file', () => {
    const file = (name: string) => ({
      mode: 'external_url',
      filename: 'plan.pdf',
      external_url: `https://example.com/${name}`,
    });
    /** Runs the action; what it waits passes on the emulator's clock. */
    const run = async (input: object) => {
      let waitedMs = 0;
      const result = await h().run('DOCS_CREATE_FILE_UPLOAD', input, {
        attempts: 100,
        now: () => new Date(Date.now() + waitedMs),
        onTransient: ({ retryAfterMs }) => {
          assert.ok(retryAfterMs !== undefined && retryAfterMs >= 1000 && retryAfterMs <= 10_000);
          waitedMs += retryAfterMs;
          h().emulator.advance(retryAfterMs);
        },
      });
      return { ...result, waitedMs };
    };

    it('is waited for, with a few requests, and created once', async () => {
      for (const importMs of [0, 3000, 20_000, 55_000]) {
        h().emulator.requests.length = 0;
        h().emulator.settings.importMs = importMs;
        const began = performance.now();
        const result = await run(file('plan.pdf'));
        const tookMs = result.waitedMs + performance.now() - began;
        assert.deepEqual([result.error, result.data['status']], [undefined, 'uploaded']);
        assert.ok(tookMs >= importMs && result.waitedMs <= importMs + 10_000, String(result.waitedMs));
        assert.equal(h().emulator.count('POST', '/v1/file_uploads'), 1);
        assert.ok(h().emulator.requests.length <= 12, String(h().emulator.requests.length));
      }
    });

    it('that takes longer than a minute is reported as pending, with what to do', async () => {
      h().emulator.settings.importMs = 300_000;
      const { successful, data, waitedMs } = await run(file('plan.pdf'));
      assert.ok(successful && waitedMs >= 60_000 && waitedMs <= 80_000, String(waitedMs));
      assert.equal(data['status'], 'pending');
      assert.match(String(data['hint']), /DOCS_RETRIEVE_FILE_UPLOAD until its status is uploaded/);
    });

    it('that fails is a failure with its reason, and names the upload', async () => {
      h().emulator.settings.importMs = 5000;
      const { error, data } = await run(file('missing'));
      assert.match(error ?? '', /^VALIDATION_ERROR: The workspace could not import the file: .*downloaded/);
      assert.match((data['partial'] as { file_upload_id: string }).file_upload_id, /^[0-9a-f-]{36}$/);
    });

    it('whose creation lost its answer is found and waited for, not created again', async () => {
      h().emulator.settings.importMs = 15_000;
      faults().add({ method: 'POST', path: '/v1/file_uploads', fault: { kind: 'lost-answer' } });
      const result = await h().run('DOCS_CREATE_FILE_UPLOAD', file('plan.pdf'), {
        attempts: 100,
        onTransient: ({ retryAfterMs = 1000 }) => {
          h().emulator.advance(retryAfterMs);
        },
      });
      assert.equal(result.data['status'], 'uploaded');
      assert.equal(h().emulator.count('POST', '/v1/file_uploads'), 1);
    });
  });
});
