import assert from 'node:assert/strict';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { conversationWorkflowId, recentRunsQuery, statusQuery } from '../../src/contract/workflows.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { readable } from './replay/command-trace.ts';
import { recordedStories } from './replay/recorded-stories.ts';
import { findLeaks } from './scan/find-leaks.ts';
import { planted } from './stories/stage.ts';

describe('No text, secret or URL is in', () => {
  it('any recorded history, nor the machine that recorded it', () => {
    for (const { name, json, trace } of recordedStories()) {
      assert.deepEqual(findLeaks(json, [planted]), [], name);
      assert.deepEqual(findLeaks(trace.join('\n'), [planted]), [], `${name}, its trace`);
      assert.doesNotMatch(json, /\/(home|root|tmp|usr|Users|work)\//, name);
      const identities = [...json.matchAll(/"identity":"([^"]*)"/g)].map(([, identity]) => identity!);
      for (const identity of identities) assert.match(identity, /^(worker|client|[\w-]*-service)?$/, name);
    }
  });

  describe('a live one:', () => {
    const stack = useSharedStack();
    const words = Array.from({ length: 9 }, (_, n) => `zq${n}live${crypto.randomUUID().slice(0, 8)}`);
    const [said, answer, where, secret, contact, fault, name, tool, file] = words as [string, ...string[]] &
      Record<number, string>;

    it('of runs with callbacks, tools, transfers, attachments, follow-ups and failures', async () => {
      const { api, receiver, temporal, token, organizationId } = stack();
      const webhook_url = receiver.url(`/${where}/hook?token=${secret}`);
      const second = await api.createAgent({ name: `${name} 2`, script: [{ reply: answer }] });
      const agent = await api.createAgent({
        name,
        instructions: said,
        transfers_to: [second.id],
        follow_ups: [{ after_seconds: 1, instructions: said }],
        script: [
          { on: 'follow_up', reply: answer },
          { on: 'tool_result', reply: answer },
          { when: 'tool', tool: { action: tool, input: { query: said } } },
          { when: 'transfer', reply: answer, transfer_to: `${name} 2` },
          { when: 'again', reply: answer, fail: { message: fault, retryable: true, times: 1 } },
          { when: 'fail', fail: { message: fault, retryable: false } },
          { reply: `${answer} $0` },
        ],
      });
      const attachments = [{ url: `https://${receiver.host}/${file}.png?key=${secret}`, filename: file }];
      const conversations: string[] = [];
      for (const kind of ['plain', 'tool', 'transfer', 'again', 'fail', 'file']) {
        const { conversation_id } = await api.send(
          agent.id,
          {
            ...{ message: `${kind} ${said}`, webhook_url, metadata: { secret } },
            contact: { id: `${contact} ${kind}`, name: contact },
            ...(kind === 'file' && { attachments }),
          },
          { 'idempotency-key': `${secret} ${kind}` },
        );
        conversations.push(conversation_id);
      }
      for (const id of conversations) await api.settled(id, 0);
      // All but the failed one follow up; the transferred one's new agent has no follow-ups.
      await until(
        'callbacks',
        () => receiver.requestsTo(new URL(webhook_url).pathname + new URL(webhook_url).search).length >= 11,
      );

      const secrets = [...words, token, token.slice(3, 20)];
      let scanned = 0;
      // The words are this organization's; workflows of no organization (recovery, checks of channels) could contain
      // them too.
      const query = `OrganizationId = "${organizationId}" OR OrganizationId IS NULL`;
      for await (const { workflowId, runId } of temporal.client.workflow.list({ query })) {
        const handle = temporal.client.workflow.getHandle(workflowId, runId);
        const history = historyToJSON(await handle.fetchHistory());
        const { raw, status } = await handle.describe();
        const shown: unknown[] = [readable(raw)];
        if (status.name === 'RUNNING' && workflowId.startsWith('conversation/')) {
          for (const query of ['__temporal_workflow_metadata', statusQuery.name, recentRunsQuery.name]) {
            shown.push(readable(await handle.query<object>(query)));
          }
        }
        for (const json of [history, JSON.stringify(shown)]) {
          assert.deepEqual(findLeaks(json, secrets), [], workflowId);
        }
        if (conversations.some((id) => workflowId === conversationWorkflowId(id))) scanned += 1;
      }
      assert.equal(scanned, conversations.length);
    });
  });

  it('the scan itself finds planted words, URLs and tokens everywhere', () => {
    const payload = (value: unknown) =>
      JSON.stringify({ data: Buffer.from(JSON.stringify(value)).toString('base64') });
    for (const json of [
      JSON.stringify({ message: `a ${planted} b` }),
      payload(`a ${planted} b`),
      payload({ inner: Buffer.from(`xy ${planted} z`).toString('base64') }),
      payload({ inner: Buffer.from(`x ${planted} z`).toString('base64') }),
      payload(planted.toUpperCase()),
      payload('see http://10.0.0.1/x'),
      payload('pk_0123456789'),
    ]) {
      assert.equal(findLeaks(json, [planted]).length > 0, true, json);
    }
    assert.deepEqual(findLeaks(payload({ runId: 'conversation/0000' }), [planted]), []);
  });
});
