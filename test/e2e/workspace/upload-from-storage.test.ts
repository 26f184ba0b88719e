/** Contents of a file upload that come from storage: a file of a message, by its key or its name. */
import assert from 'node:assert/strict';
import type { ApiClient } from '../../support/api-client.ts';
import { newDocsCaller, useDocsStack, type DocsCaller } from '../../support/docs-stack.ts';

const file = { name: 'plan.txt', mimetype: 'text/plain' };
const words = 'The plan: begin.';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('DOCS_SEND_FILE_UPLOAD without base64', () => {
  const docs = useDocsStack();

  const newUpload = async (caller: DocsCaller) =>
    String((await caller.ok('DOCS_CREATE_FILE_UPLOAD', { filename: file.name }))['id']);
  const sentTo = (id: string) => {
    const upload = docs().emulator.snapshot().uploads.get(id);
    assert.ok(upload);
    return upload.status === 'uploaded' ? Buffer.from(upload.bytes).toString() : upload.status;
  };
  /** A conversation with a file in its first message. @returns the file's key */
  const attach = async (
    api: ApiClient,
    attachments: object[] = [{ content_base64: base64(words), filename: file.name }],
  ) => {
    const agent = await api.createAgent({ script: [{ reply: 'seen' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'look', attachments });
    const answer = await api.call('GET', `/conversations/${conversation_id}/messages`);
    const { data } = answer.body as { data: { attachments: { id: string }[] }[] };
    const key = data.flatMap((message) => message.attachments)[0]?.id;
    assert.ok(key);
    return key;
  };

  it('reads a stored file of the organization by its key, and sends all of it', async () => {
    const caller = await newDocsCaller(docs());
    const storage_key = await attach(caller.api);
    for (const key of [{ storage_key }, { s3key: storage_key }]) {
      const id = await newUpload(caller);
      await caller.ok('DOCS_SEND_FILE_UPLOAD', { file_upload_id: id, file: { ...file, ...key } });
      assert.equal(sentTo(id), words);
    }
  });

  it('prefers base64 to a key and to a path', async () => {
    const caller = await newDocsCaller(docs());
    const storage_key = await attach(caller.api);
    for (const more of [{ storage_key }, { path: '/etc/passwd' }]) {
      const id = await newUpload(caller);
      const input = { file_upload_id: id, file: { ...file, ...more }, file_content_base64: base64('given') };
      await caller.ok('DOCS_SEND_FILE_UPLOAD', input);
      assert.equal(sentTo(id), 'given');
    }
  });

  it('refuses paths and URLs, says what to give, and sends nothing', async () => {
    const caller = await newDocsCaller(docs());
    const id = await newUpload(caller);
    for (const more of [
      { storage_key: '/etc/passwd' },
      { storage_key: '../.env' },
      { storage_key: 'file:///etc/passwd' },
      { s3key: 'bucket/key' },
      { path: '/etc/passwd' },
      { file_path: 'C:\\secrets.txt' },
      { url: 'http://169.254.169.254/latest/meta-data' },
      {},
    ]) {
      const { successful, error } = await caller.run('DOCS_SEND_FILE_UPLOAD', {
        file_upload_id: id,
        file: { ...file, ...more },
      });
      assert.equal(successful, false, JSON.stringify(more));
      assert.match(error ?? '', /^INVALID_INPUT: .*(file_content_base64|storage_key)/);
      if (Object.keys(more).length > 0) assert.match(error ?? '', /[Pp]aths and addresses are not read/);
      assert.doesNotMatch(error ?? '', /root:/);
    }
    assert.equal(docs().emulator.count('POST', /\/send$/), 0);
    assert.equal(sentTo(id), 'pending');
  });

  it('another organization’s key gets the same error as an unknown key', async () => {
    const [caller, other] = [await newDocsCaller(docs()), await newDocsCaller(docs())];
    const theirs = await attach(other.api);
    const id = await newUpload(caller);
    const errors = new Set<string>();
    for (const storage_key of [theirs, crypto.randomUUID()]) {
      const input = { file_upload_id: id, file: { ...file, storage_key } };
      const { successful, error } = await caller.run('DOCS_SEND_FILE_UPLOAD', input);
      assert.equal(successful, false);
      errors.add((error ?? '').replace(storage_key, 'KEY'));
    }
    assert.equal(errors.size, 1);
    assert.match([...errors][0]!, /^INVALID_INPUT: file\.storage_key.*no stored file/);
    assert.equal(docs().emulator.count('POST', /\/send$/), 0);
  });

  it('reports a file that was never fetched', async () => {
    const caller = await newDocsCaller(docs());
    const storage_key = await attach(caller.api, [{ url: 'https://127.0.0.1/plan.txt' }]);
    const id = await newUpload(caller);
    const input = { file_upload_id: id, file: { ...file, storage_key } };
    assert.match((await caller.run('DOCS_SEND_FILE_UPLOAD', input)).error ?? '', /not fetched/);
  });

  describe('by an agent', () => {
    /** Returns the result of an agent's call in a conversation whose first message brings these files. */
    const agentSends = async (
      caller: DocsCaller,
      sent: object,
      attachments: object[] = [{ content_base64: base64(words), filename: file.name }],
    ) => {
      const agent = await caller.api.createAgent({
        model: 'scripted/default',
        tools: ['DOCS_SEND_FILE_UPLOAD'],
        script: [{ when: 'upload', tool: { action: 'DOCS_SEND_FILE_UPLOAD', input: sent } }],
      });
      return (await caller.api.ask(agent.id, { message: 'upload', attachments })).response;
    };

    it('finds the file of its conversation by name, without a key', async () => {
      const caller = await newDocsCaller(docs());
      const id = await newUpload(caller);
      assert.doesNotMatch(await agentSends(caller, { file_upload_id: id, file }), /^Error/);
      assert.equal(sentTo(id), words);
    });

    it('gets the list of keys if the name is ambiguous, and continues with one of them', async () => {
      const caller = await newDocsCaller(docs());
      const id = await newUpload(caller);
      const two = ['a', 'b'].map((text) => ({ content_base64: base64(text), filename: file.name }));
      const error = await agentSends(caller, { file_upload_id: id, file }, two);
      const keys = [...error.matchAll(/plan\.txt \(([0-9a-f-]{36})\)/g)].map(([, key]) => key);
      assert.equal(keys.length, 2, error);
      assert.equal(sentTo(id), 'pending');
      await caller.ok('DOCS_SEND_FILE_UPLOAD', {
        file_upload_id: id,
        file: { ...file, storage_key: keys[1] },
      });
      assert.match(sentTo(id), /^[ab]$/);
    });

    it('cannot read a file of another conversation, not even of its organization', async () => {
      const caller = await newDocsCaller(docs());
      const storage_key = await attach(caller.api);
      const id = await newUpload(caller);
      const error = await agentSends(caller, { file_upload_id: id, file: { ...file, storage_key } }, []);
      assert.match(error, /^Error: INVALID_INPUT: file\.storage_key.*no stored file/);
      assert.match(await agentSends(caller, { file_upload_id: id, file }, []), /^Error: INVALID_INPUT/);
      assert.equal(sentTo(id), 'pending');
    });
  });
});
