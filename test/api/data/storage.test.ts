/** Bytes of files that an organization keeps: counted exactly, limited, given back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { changeOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import type { Usage } from '../../../src/contract/data/usage.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const mebibyte = 1024 * 1024;
const file = (bytes: number) => ({ content_base64: Buffer.alloc(bytes, 7).toString('base64') });

describe('Storage of files', () => {
  const stack = useSharedStack();

  async function newOrganization(storage_limit_megabytes?: number) {
    const { db } = stack();
    const { api, organizationId, token } = await stack().stranger();
    const limit = async (megabytes: number | null) =>
      await changeOrganization(
        db,
        organizationId,
        { storage_limit_megabytes: megabytes },
        { kind: 'system', name: 'a test' },
      );
    if (storage_limit_megabytes !== undefined) await limit(storage_limit_megabytes);
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const post = async (body: object, key?: string) => {
      const response = await fetch(`${stack().apiUrl}/chat/${agent.id}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const usage = async () => {
      const response = await fetch(`${stack().apiUrl}/usage`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await response.json()) as Usage).storage;
    };
    /** The bytes that the API counts, and those that are stored. */
    const counted = async () => {
      const { rows } = await db.pool.query<{ sum: number }>(
        `select coalesce(sum(octet_length(content)), 0)::bigint as sum from attachments where organization_id = $1`,
        [organizationId],
      );
      return [(await usage()).used_bytes, rows[0]?.sum];
    };
    return { api, organizationId, agent, post, usage, counted, limit };
  }

  it('is counted exactly when files are stored and erased, even by concurrent calls', async () => {
    const { api, post, counted } = await newOrganization();
    const sizes = [5, 1, 1000, 300_000, 2 * mebibyte];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post({ message: 'a', attachments: [file(sizes[n % 5] ?? 1), file(10)] }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
    const all = 4 * (5 + 1 + 1000 + 300_000 + 2 * mebibyte) + 200;
    assert.deepEqual(await counted(), [all, all]);
    const ids = answers.map(({ body }) => String(body['conversation_id']));
    await Promise.all(ids.slice(0, 15).map((id) => api.call('DELETE', `/conversations/${id}`)));
    await until('the files of 15 to be erased', async () => (await counted())[1] === all / 4);
    assert.deepEqual(await counted(), [all / 4, all / 4]);
  });

  it('refuses files once it is full, accepts text, and still answers repeats of accepted calls', async () => {
    const { organizationId, post, usage, counted, limit } = await newOrganization(1);
    const key = randomUUID();
    const first = { message: 'first', attachments: [file(mebibyte - 10)] };
    const accepted = await post(first, key);
    assert.equal(accepted.status, 202);
    const refused = await post({ message: 'second', attachments: [file(11)] });
    assert.deepEqual([refused.status, refused.body['code']], [402, 'storage_limit_reached']);
    assert.deepEqual(await post(first, key), accepted);
    assert.equal((await post({ message: 'text' })).status, 202);
    assert.equal((await post({ message: 'the last that fits', attachments: [file(10)] })).status, 202);
    assert.deepEqual(await counted(), [mebibyte, mebibyte]);
    assert.deepEqual(await usage(), { used_bytes: mebibyte, limit_bytes: mebibyte, limit_is_default: false });
    const { rows } = await stack().db.pool.query(
      `select from messages where text = 'second' and organization_id = $1`,
      [organizationId],
    );
    assert.equal(rows.length, 0, 'nothing of a refused call is kept');
    await limit(null);
    assert.equal((await usage()).limit_is_default, true);
    assert.equal((await post({ message: 'second', attachments: [file(11)] })).status, 202);
  });

  it('accepts exactly as many of thirty concurrent calls as fit', async () => {
    const { post, counted } = await newOrganization(1);
    const tenth = Math.floor(mebibyte / 10);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post({ message: 'a', attachments: [file(tenth)] })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array<number>(10).fill(202), ...Array<number>(20).fill(402)]);
    assert.deepEqual(await counted(), [10 * tenth, 10 * tenth]);
  });
});
