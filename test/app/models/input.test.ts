/** What a language model is sent: only files that it can read, and only as much as fits into its context window. */
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate, loopbackKey } from '../../support/receiver-certificate.ts';
import type { ChatRequest } from '../../support/model-server.ts';
import { modelSettings, useModelStack } from '../../support/model-stack.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
const attached = (content: Buffer, more = {}) => ({ content_base64: content.toString('base64'), ...more });
const content = (body: ChatRequest | undefined) =>
  body?.messages.findLast(({ role }) => role === 'user')?.content;

describe('What a language model is shown', () => {
  const stack = useModelStack();

  it('images and documents as files, text as text, anything else by its name; by their bytes, not their label', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    const answer = await api.ask(agent.id, {
      message: 'files',
      attachments: [
        attached(png, { filename: 'a.png', content_type: 'image/png' }),
        attached(png),
        attached(pdf, { filename: 'b.pdf', content_type: 'application/octet-stream' }),
        attached(Buffer.from('naïve'), { filename: 'c.txt', content_type: 'text/plain' }),
        attached(Buffer.from('{"d":1}'), { filename: 'd.json', content_type: 'application/json' }),
        attached(Buffer.from('no image'), { filename: 'e.png', content_type: 'image/png' }),
        attached(Buffer.from([0, 1, 2]), { filename: 'f.bin' }),
      ],
    });
    assert.equal(answer.attachments_processed, 7);
    const [call] = model.callsFor('files');
    const image = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${png.toString('base64')}` },
    };
    assert.deepEqual(content(call?.body), [
      { type: 'text', text: 'files' },
      image,
      image,
      {
        type: 'file',
        file: { filename: 'b.pdf', file_data: `data:application/pdf;base64,${pdf.toString('base64')}` },
      },
      { type: 'text', text: '[Attachment c.txt]\nnaïve' },
      { type: 'text', text: '[Attachment d.json]\n{"d":1}' },
      { type: 'text', text: '[The user attached e.png (image/png, 8 bytes), which cannot be read here.]' },
      {
        type: 'text',
        text: '[The user attached f.bin (of an unknown kind, 3 bytes), which cannot be read here.]',
      },
    ]);
  });

  it('files up to 16 MiB of a group together; those beyond are named, and smaller ones after them still shown', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ grouping_window_seconds: 60, grouping_max_messages: 3 });
    const large = Buffer.concat([png, Buffer.alloc(9 * 1024 * 1024)]);
    const send = async (filename: string, file: Buffer, conversation_id?: string) =>
      await api.send(agent.id, {
        ...(filename === 'a.png' && { message: 'too large' }),
        ...(conversation_id !== undefined && { conversation_id }),
        attachments: [attached(file, { filename, content_type: 'image/png' })],
      });
    const { conversation_id } = await send('a.png', large);
    await send('b.png', large, conversation_id);
    await send('c.png', png, conversation_id);
    await api.settled(conversation_id);
    const parts = content(model.callsFor('too large')[0]?.body) as { type: string; text?: string }[];
    assert.deepEqual(
      parts.map(({ type, text }) => text ?? type),
      [
        'too large',
        'image_url',
        `[The attachment b.png (${large.length} bytes) is left out: the files are too large together.]`,
        'image_url',
      ],
    );
  });

  it('a later call gets the name of the file instead of the file', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    const { conversation_id } = await api.ask(agent.id, {
      attachments: [attached(png, { filename: 'a.png' })],
    });
    await api.ask(agent.id, { message: 'what was it?', conversation_id });
    const [call] = model.callsFor('what was it?');
    assert.equal(call?.body.messages[0]?.content, '\n[Attached: a.png]');
  });

  it('attachments by URL are fetched first; the model reads which cannot be fetched, and the run continues', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    const files = createServer({ key: loopbackKey, cert: loopbackCertificate }, (request, response) => {
      if (request.url === '/a.png') response.writeHead(200, { 'content-type': 'image/png' }).end(png);
      else response.writeHead(404).end(png);
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const { port } = files.address() as AddressInfo;
    const answer = await api.ask(agent.id, {
      message: 'fetched',
      attachments: [
        { url: `https://127.0.0.1:${port}/a.png` },
        { url: `https://127.0.0.1:${port}/gone.png`, filename: 'gone.png' },
        { url: 'https://127.0.0.2:9/blocked.png', filename: 'blocked.png' },
      ],
    });
    files.close();
    assert.deepEqual(content(model.callsFor('fetched')[0]?.body), [
      { type: 'text', text: 'fetched' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      { type: 'text', text: '[The attachment gone.png could not be fetched.]' },
      { type: 'text', text: '[The attachment blocked.png could not be fetched.]' },
    ]);
    const [input] = await api.messages(answer.conversation_id);
    const sizes = input?.attachments.map(({ content_type, size }) => [content_type, size]);
    assert.deepEqual(sizes, [
      ['image/png', png.length],
      [null, null],
      [null, null],
    ]);
  });

  it('only the newest turns that fit its window', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    const long = (n: number) => `${n} `.padEnd(3500, 'x');
    let conversation_id: string | undefined;
    for (let n = 0; n < 4; n++) {
      const body = { message: long(n), ...(conversation_id !== undefined && { conversation_id }) };
      conversation_id = (await api.ask(agent.id, body)).conversation_id;
    }
    // 8,000 tokens hold 18,000 characters beside the room for an answer: five turns of 3,500, not six.
    const sent = model.callsFor(long(3))[0]?.body.messages ?? [];
    const shown = sent.map(({ content: text }) =>
      JSON.stringify(text).slice(1).replace('echo: ', 'e').slice(0, 2).trim(),
    );
    assert.deepEqual(shown, ['1', 'e1', '2', 'e2', '3']);
    assert.equal((await api.messages(conversation_id ?? '')).length, 8);
  });

  it('long texts cut to its window, short ones whole', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ instructions: 'i'.repeat(6000) });
    await api.ask(agent.id, {
      message: 'short',
      attachments: [attached(Buffer.from('ä'.repeat(30_000))), attached(Buffer.from('z'.repeat(100)))],
    });
    const parts = content(model.callsFor('short')[0]?.body) as { text: string }[];
    assert.deepEqual(
      [parts[0]?.text, parts[2]?.text.length],
      ['short', 100 + '[Attachment attachment]\n'.length],
    );
    const cut = parts[1]?.text ?? '';
    assert.match(cut, /^\[Attachment attachment\]\nä+\n\[The rest is left out: it is too long\.\]$/);
    assert.ok(cut.length > 3000 && cut.length < 4500, String(cut.length));
  });

  it("no file of a kind that the operator's settings exclude", async () => {
    const { api, model, worker } = stack();
    const agent = await api.createAgent();
    await worker.kill();
    await worker.start({ ...modelSettings, MODEL_BASE_URL: model.baseUrl, MODEL_FILES: 'documents' });
    await api.ask(agent.id, { message: 'no images', attachments: [attached(png), attached(pdf)] });
    await worker.kill();
    await worker.start();
    const parts = content(model.callsFor('no images')[0]?.body) as { type: string; text: string }[];
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['text', 'text', 'file'],
    );
    assert.match(
      parts[1]?.text ?? '',
      /attached attachment \(image\/png, 16 bytes\), which cannot be read here/,
    );
  });
});
