/** Files that a member sends from the console: to an agent in the playground, and to a contact as a person. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { maxFilesBytes } from '../../../src/contract/conversations/limits.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const photo = { name: 'photo.png', mimeType: 'image/png', buffer: pixel };
const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Order 4711 arrived broken.') };

describe('Files in the console', () => {
  const stack = useModelStack();
  const shared = useConsole(() => stack);

  const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' });
  const namesOf = async (page: Page) =>
    (await attached(page).getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]);
  const choose = async (page: Page, ...files: (typeof photo)[]) => {
    await page.locator('input[type=file]').setInputFiles(files);
  };
  /** Puts files on the message field, as a mouse that drops them or Ctrl+V does. */
  const give = async (page: Page, how: 'drop' | 'paste', name: string, text?: string) => {
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['content'], ${JSON.stringify(name)}, { type: 'image/png' }));
      const text = ${JSON.stringify(text ?? null)};
      if (text !== null) data.setData('text/plain', text);
      const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
      const event = '${how}' === 'drop' ? new DragEvent('drop', options) : new ClipboardEvent('paste', options);
      document.querySelector('.composer textarea').dispatchEvent(event);
    })()`);
  };

  async function playground(width?: number) {
    const { api, signedIn } = shared();
    const agent = await api.createAgent({ name: 'Front desk' });
    const visitor = await signedIn(width === undefined ? {} : { width });
    await visitor.open(`/agents/${agent.id}/playground`);
    await visitor.page.getByText('Send a message to start').waitFor();
    return { visitor, page: visitor.page, agent };
  }

  it('are attached, removed and sent by keyboard alone at 390 px, and the model gets them', async () => {
    const { visitor, page } = await playground(390);
    // Playwright does not wait until the browser reports choosers, so a key that follows at once can come too early.
    const opened = page.waitForEvent('filechooser');
    await tabTo(page, 'Attach files');
    await page.keyboard.press('Enter');
    await (await opened).setFiles([photo, note, { ...note, name: 'wrong.txt' }]);
    await attached(page).getByText('wrong.txt').waitFor();
    assert.match(await attached(page).innerText(), /photo\.png\s+70 bytes\s+note\.txt\s+26 bytes/);
    await page.getByText('3 files attached').waitFor();
    await press(page, 'Remove wrong.txt');
    await until('its end', async () => (await namesOf(page)).join() === 'photo.png,note.txt');
    await until('the focus to be on the button', async () => (await focused(page)).endsWith('Attach files'));
    await visitor.look('playground-files');
    const message = `What is wrong with this? ${crypto.randomUUID()}`;
    await type(page, 'Message', message);
    await page.keyboard.press('Enter');
    const thread = page.getByRole('region', { name: 'Conversation' });
    await thread.getByText(`echo: ${message}`).waitFor();
    await thread.getByText('photo.png', { exact: true }).waitFor();
    await thread.getByText('note.txt', { exact: true }).waitFor();
    assert.equal(await attached(page).count(), 0);
    const sent = JSON.stringify(stack().model.callsFor(message)[0]?.body.messages.at(-1));
    assert.ok(sent.includes(pixel.toString('base64')), sent);
    assert.ok(sent.includes('Order 4711 arrived broken.'), sent);
    await visitor.look('playground-files-sent');
  });

  it('can be dropped and pasted, but a picture that comes with a copied text cannot', async () => {
    const { page } = await playground();
    await give(page, 'drop', 'dropped.png');
    await give(page, 'paste', 'of-the-text.png', 'a copied text');
    await give(page, 'paste', 'pasted.png');
    await until('both', async () => (await namesOf(page)).join() === 'dropped.png,pasted.png');
    // Without a text too.
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const thread = page.getByRole('region', { name: 'Conversation' });
    await thread.getByText('pasted.png', { exact: true }).waitFor();
    await thread.getByText('Answered', { exact: true }).waitFor();
  });

  it('dropped beside the message field are not opened by the browser', async () => {
    const { page } = await playground();
    const isRefused = await page.evaluate(`['dragover', 'drop'].map((type) => {
      const data = new DataTransfer();
      data.items.add(new File(['content'], 'beside.txt'));
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data });
      document.querySelector('h1').dispatchEvent(event);
      return event.defaultPrevented;
    })`);
    assert.deepEqual(isRefused, [true, true]);
    assert.equal(await attached(page).count(), 0);
  });

  it('that the API would refuse are refused with a sentence, and the others stay', async () => {
    const { visitor, page } = await playground();
    await choose(page, photo, { ...note, name: 'large.txt', buffer: Buffer.alloc(maxFilesBytes) });
    const refusal = page.getByRole('alert');
    await refusal
      .getByText('The files of a message may have at most 12 MB in total. Not attached: large.txt')
      .waitFor();
    await visitor.look('playground-file-too-large');
    await choose(page, { ...note, name: 'empty.txt', buffer: Buffer.alloc(0) });
    await refusal.getByText('An empty file cannot be sent. Not attached: empty.txt').waitFor();
    const more = Array.from({ length: 14 }, (_, index) => ({ ...note, name: `${index}.txt` }));
    await choose(page, ...more);
    await refusal
      .getByText('A message may have at most 10 files. Not attached: 9.txt, 10.txt, 11.txt …')
      .waitFor();
    assert.equal(
      (await namesOf(page)).join(),
      'photo.png,0.txt,1.txt,2.txt,3.txt,4.txt,5.txt,6.txt,7.txt,8.txt',
    );
    await visitor.look('playground-ten-files');
  });

  it('stay with the text if the server refuses the message, and what was written since is kept', async () => {
    const { visitor, page } = await playground();
    visitor.expectRefusals();
    const refused = Promise.withResolvers<undefined>();
    await page.route('**/console/api/chat/*', async (route) => {
      await refused.promise;
      await route.fulfill({ status: 503, json: { code: 'unavailable', error: 'Away.' } });
    });
    const field = page.getByLabel('Message', { exact: true });
    await choose(page, photo);
    await field.fill('The first.');
    await page.keyboard.press('Enter');
    await attached(page).waitFor({ state: 'detached' });
    await field.fill('The second.');
    await choose(page, note);
    refused.resolve(undefined);
    await page.getByRole('alert').getByText('Away.').waitFor();
    await until('both texts', async () => (await field.inputValue()) === 'The first.\nThe second.');
    assert.equal((await namesOf(page)).join(), 'photo.png,note.txt');
    await page.unroute('**/console/api/chat/*');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const thread = page.getByRole('region', { name: 'Conversation' });
    await thread.getByText('note.txt', { exact: true }).waitFor();
    await until('the empty field', async () => (await field.inputValue()) === '');
    assert.equal(await attached(page).count(), 0);
    await thread.getByText('Answered', { exact: true }).waitFor();
  });

  it('are sent with a reply of a person: the callback is posted, and the timeline has the file', async () => {
    const { api, receiver, signedIn } = shared();
    const agent = await api.createAgent({ name: 'Front desk' });
    const path = `/files/${agent.id}`;
    const { conversation_id: id } = await api.send(agent.id, {
      ...{ message: 'My order is broken.', webhook_url: receiver.url(path) },
    });
    await receiver.waitFor(path, 1);
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    await page.getByLabel('Write as a person').fill('Here is the form.');
    await choose(page, { ...note, name: 'form.txt' });
    await page.getByText('The callback has no files').waitFor();
    await visitor.look('reply-files');
    visitor.expectRefusals();
    const messages = `**/conversations/${id}/messages`;
    await page.route(messages, (route) => route.abort());
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    assert.equal((await namesOf(page)).join(), 'form.txt');
    await page.unroute(messages);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('form.txt', { exact: true }).waitFor();
    await attached(page).waitFor({ state: 'detached' });
    const [, reply] = await receiver.callbacks(path, 2);
    assert.ok(reply?.event === 'message.completed');
    assert.deepEqual([reply.response, reply.by_person], ['Here is the form.', true]);
    const written = (await api.messages(id)).find((one) => one.id === reply.message_id);
    assert.deepEqual(
      written?.attachments.map(({ filename, size }) => [filename, size]),
      [['form.txt', 26]],
    );
  });
});
