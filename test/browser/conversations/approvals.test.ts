/** Tool policies in the form of an agent, the page Approvals, and approvals on the timeline. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { plainToolName } from '../../../src/console/components/plain-tool.ts';
import { useConsole } from '../../support/browser/console.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const boxOf = async (shown: Locator) => (await shown.boundingBox()) ?? assert.fail('it is not shown');

/** True if the second is at the right of the first, on the same line. */
async function isBeside(first: Locator, second: Locator): Promise<boolean> {
  const [left, right] = [await boxOf(first), await boxOf(second)];
  return right.x > left.x + left.width && right.y < left.y + left.height && left.y < right.y + right.height;
}

describe('Approvals in the console', () => {
  let shop: Receiver;
  const shared = useConsole(() =>
    useStack(async () => {
      shop = await startReceiver();
      return { env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' } };
    }),
  );
  after(async () => {
    await shop.close();
  });

  let made = 0;
  /** An agent with a tool that refunds, and with a policy, if any. */
  async function newShop(policy?: object) {
    const { api } = shared();
    made += 1;
    const [tool, path] = [`refund_${made}`, `/refunds/${made}`];
    const created = await api.call('POST', '/tools/http', {
      body: {
        ...{ name: tool, description: 'Refunds an amount.', method: 'POST', url: shop.url(path) },
        parameters: {
          type: 'object',
          properties: {
            amount: { type: 'number', title: 'Amount in R$', multipleOf: 0.01 },
            order: { type: 'string' },
          },
        },
        effect: 'write',
      },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    shop.behave(path, { headers: { 'content-type': 'application/json' }, body: '"refunded"' });
    const agent = await api.createAgent({
      ...{ name: `Shop ${made}`, tools: [tool] },
      ...(policy && { tool_policies: [{ tool, ...policy }] }),
      script: [
        { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
        { tool: { action: tool, input: { amount: 80, order: 'A7' } } },
      ],
    });
    const ask = async (name: string) =>
      await api.send(agent.id, { message: 'refund, please', contact: { id: name, name } });
    return { agent, tool, plain: plainToolName(tool), ask, refunds: () => shop.requestsTo(path).length };
  }

  it('a policy is set, tried with sample arguments and saved in the form of the agent', async () => {
    const { signedIn, api } = shared();
    const { agent, tool } = await newShop();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    const policies = page.getByRole('group', { name: 'Tool policies' });
    const choose = async (label: string, option: string) => {
      await policies.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose(`Policy of ${tool}`, 'A person must approve');
    await policies.getByLabel(`${tool}: runs without asking if`).fill('amount <= 50');
    await policies.getByText(`Try the policy of ${tool}`).click();
    const sample = policies.getByLabel(`Sample arguments of ${tool}`);
    assert.deepEqual(JSON.parse(await sample.inputValue()), { amount: 20, order: 'text' });
    const attempt = async (text: string, outcome: string) => {
      await sample.fill(text);
      await policies.getByRole('button', { name: 'Try', exact: true }).click();
      await policies.getByText(outcome).waitFor();
    };
    await attempt('{"amount": 50}', 'A call with these arguments runs without asking.');
    await attempt('{"amount": 50.01}', 'A call with these arguments waits for a person.');
    await attempt('{"amount": "20"}', 'A call with these arguments waits for a person.');
    await attempt('amount 20', 'Enter the arguments as a JSON object.');
    await attempt('{"amount": 80}', 'A call with these arguments waits for a person.');
    await visitor.look('agent-tool-policies');

    const condition = policies.getByLabel(`${tool}: runs without asking if`);
    await condition.fill('amount <= fifty');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await policies.getByText('Expected a number').waitFor();
    await condition.fill('amount <= 50');
    await policies.getByLabel(`${tool}: waits at most (seconds)`).fill('600');
    await choose(`${tool}: then it is`, 'Approved');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const read = async () =>
      ((await api.call('GET', `/agents/${agent.id}`)).body as { tool_policies: unknown }).tool_policies;
    const policy = { tool, unless: 'amount <= 50' };
    assert.deepEqual(await read(), [
      { ...policy, policy: 'ask', expires_after_seconds: 600, on_expiry: 'approve' },
    ]);
    await page.reload();
    await choose(`Policy of ${tool}`, 'Is refused');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.deepEqual(await read(), [{ ...policy, policy: 'never' }]);
    await choose(`Policy of ${tool}`, 'Runs without asking');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await until('the policy to be gone', async () => JSON.stringify(await read()) === '[]');
  });

  it('approvers are named in the form of the agent, and a wrong number is refused', async () => {
    const { signedIn, api } = shared();
    const { agent } = await newShop({ policy: 'ask' });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    const people = page.getByRole('group', { name: 'Approvers on WhatsApp' });
    await people.getByRole('button', { name: 'Add approver' }).click();
    await people.getByLabel('Approver 1: name').fill('Ana');
    const phone = people.getByLabel('Approver 1: WhatsApp number');
    await phone.fill('11 99999-9999');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await people.getByText('must be + and 8 to 15 digits').waitFor();
    await phone.fill('+55 11 99999-9999');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const read = async () =>
      ((await api.call('GET', `/agents/${agent.id}`)).body as { approvers: unknown }).approvers;
    assert.deepEqual(await read(), [{ name: 'Ana', phone: '+5511999999999' }]);
    await page.reload();
    await phone.waitFor();
    await visitor.look('agent-approvers');
    await people.getByRole('button', { name: 'Remove approver 1' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await until('nobody to be named', async () => JSON.stringify(await read()) === '[]');
  });

  it('waiting calls are counted in the menu and on the overview, and decided on a phone', async () => {
    const { signedIn, api } = shared();
    const { agent, plain, ask, refunds } = await newShop({ policy: 'ask', expires_after_seconds: 7200 });
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open('/approvals');
    await page.getByText('Nothing waits').waitFor();
    await visitor.look('approvals-empty');

    const [first, second] = [await ask('Ada'), await ask('Ben')];
    const requests = page.getByRole('article', { name: plain });
    const of = (name: string) => requests.filter({ hasText: name });
    await of('Ada').waitFor();
    await of('Ben').waitFor();
    await of('Ada').getByText('Refunds an amount.', { exact: true }).waitFor();
    await of('Ada').getByText(`The agent ${agent.name} wants to call`).waitFor();
    const amount = of('Ada').getByText('Amount in R$', { exact: true });
    assert.equal(await amount.getAttribute('title'), 'amount');
    await of('Ada').getByText('refund, please').waitFor();
    // The tool's schema gives the amount its name and two decimals; the number itself is the text on hover.
    const value = of('Ada')
      .getByRole('definition')
      .filter({ hasText: /^80\.00$/ });
    assert.equal(await value.getAttribute('title'), '80');
    const conversation = of('Ada').getByRole('link', { name: 'Open the conversation' });
    assert.equal(await conversation.getAttribute('href'), `/conversations/${first.conversation_id}`);
    await page.getByText('Nothing was decided').waitFor();
    await of('Ada')
      .getByText(/Refused in .*, unless somebody decides/)
      .waitFor();
    await visitor.look('approvals-waiting');

    await visitor.open('/');
    const waiting = page.getByRole('region', { name: 'Health' });
    await waiting.getByText('2 tool calls wait for approval').waitFor();
    await visitor.look('overview-approvals');
    await page.getByRole('button', { name: 'Menu, 2 waiting', exact: true }).click();
    const entry = page.getByRole('dialog').getByRole('link', { name: 'Approvals' });
    await entry.getByText('2').waitFor();
    await entry.click();

    await of('Ada')
      .getByRole('button', { name: `Approve ${plain}` })
      .click();
    await of('Ada').waitFor({ state: 'detached' });
    await of('Ben').getByLabel('Note').fill('No receipt <b>yet</b>');
    await of('Ben')
      .getByRole('button', { name: `Refuse ${plain}` })
      .click();
    await page.getByText('Nothing waits').waitFor();
    const said = async ({ conversation_id }: { conversation_id: string }) =>
      (await api.settled(conversation_id)).find(({ role }) => role === 'agent')?.text;
    assert.equal(await said(first), 'read: "refunded"');
    assert.equal(await said(second), 'read: Not executed: refused by a person: No receipt <b>yet</b>');
    assert.equal(refunds(), 1);

    const all = page.getByRole('table', { name: 'Decided approvals' });
    const row = (name: string) => all.getByRole('row').filter({ hasText: name });
    await row('Ada').getByText('Executed').waitFor();
    await row('Ada').getByText('Amount in R$ 80.00').waitFor();
    await row('Ben').getByText('No receipt <b>yet</b>').waitFor();
    await visitor.look('approvals-decided');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Refused' }).click();
    await row('Ada').waitFor({ state: 'detached' });
    await row('Ben').getByRole('link').click();
    await page
      .getByRole('group', { name: `Approvals: ${plain}` })
      .getByText('refused by')
      .waitFor();

    await visitor.open('/audit');
    const refused = page.getByRole('row').filter({ hasText: 'Refused a tool call' });
    assert.equal(
      await refused.getByRole('link', { name: 'Ben' }).getAttribute('href'),
      `/conversations/${second.conversation_id}`,
    );
  });

  it('the timeline and the inbox show the request; the timeline decides it, and names who decided', async () => {
    const { signedIn } = shared();
    const { plain, ask, refunds } = await newShop({ policy: 'ask' });
    const { conversation_id } = await ask('Cleo');
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${conversation_id}`);
    const event = page.getByRole('group', { name: `Approvals: ${plain}` });
    await event.getByText(`Approve ${plain}?`).waitFor();
    await event.getByText(/Refused in .*, unless somebody decides/).waitFor();
    await event
      .getByRole('definition')
      .filter({ hasText: /^80\.00$/ })
      .waitFor();
    // Only the approval is shown: the call has no line of its own.
    assert.equal(await page.getByText(plain, { exact: true }).count(), 0);
    // What ends the run is beside what decides it.
    assert.ok(
      await isBeside(
        event.getByRole('button', { name: `Refuse ${plain}` }),
        event.getByRole('button', { name: 'Stop', exact: true }),
      ),
    );
    assert.equal(await page.getByRole('button', { name: 'Stop', exact: true }).count(), 1);
    // The composer is at the bottom of the pane, and what is newest is above it, on a wide screen and on a phone.
    for (const [width, height] of [
      [1440, 1100],
      [390, 1300],
    ] as const) {
      await page.setViewportSize({ width, height });
      const foot = await boxOf(page.locator('.thread-foot'));
      assert.ok(Math.abs(height - 12 - (foot.y + foot.height)) <= 2, JSON.stringify({ width, foot }));
      const newest = await boxOf(event);
      const gap = foot.y - (newest.y + newest.height);
      assert.ok(gap >= 0 && gap < 40, JSON.stringify({ width, gap }));
    }
    await page.setViewportSize({ width: 1440, height: 860 });
    const inInbox = page
      .getByRole('row')
      .filter({ hasText: 'Cleo' })
      .getByText('Waiting for approval', { exact: true });
    await inInbox.waitFor();
    await visitor.look('timeline-approval-waits');
    await event.getByRole('button', { name: `Approve ${plain}` }).click();
    await event.getByText('Executed').waitFor();
    await event.getByText('approved by').waitFor();
    await inInbox.waitFor({ state: 'detached' });
    await visitor.look('timeline-approval-decided');
    assert.equal(refunds(), 1);
  });

  it('the member whose decision came second sees who was first', async () => {
    const { signedIn, api } = shared();
    const { plain, ask } = await newShop({ policy: 'ask' });
    await ask('Dana');
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/approvals');
    const request = page.getByRole('article', { name: plain });
    await request.waitFor();
    // The page polls every ten seconds; it does not before this decision is made.
    await page.route('**/approvals?*', (route) => route.abort());
    const { body } = await api.call('GET', '/approvals?status=waiting');
    const [{ id } = assert.fail()] = (body as { data: { id: string }[] }).data;
    await api.call('POST', `/approvals/${id}`, { body: { decision: 'refuse' } });
    await request.getByRole('button', { name: `Approve ${plain}` }).click();
    await request.getByText(/API token a token .* refused this tool call/).waitFor();
  });

  it('a member who may only view sees waiting calls, and cannot decide', async () => {
    const { signedIn, person } = shared();
    const { plain, ask } = await newShop({ policy: 'ask' });
    await ask('Eli');
    const visitor = await signedIn({ as: await person(['conversations.view']) });
    const { page } = visitor;
    await visitor.open('/approvals');
    const request = page.getByRole('article', { name: plain });
    await request.getByText('Your role cannot decide').waitFor();
    assert.equal(await request.getByRole('button').count(), 0);
  });
});
