/** Stories of tool calls that wait for the approval of a person. */
import { until } from '../../support/until.ts';
import { planted, type Begun, type Stage, type Story } from './stage.ts';

const action = 'DOCS_LIST_USERS';
const asking = (policy: object = {}) => ({
  tools: [action],
  tool_policies: [{ tool: action, policy: 'ask', ...policy }],
  script: [{ on: 'tool_result', reply: 'Done' }, { tool: { action, input: { query: planted } } }],
});

async function decide(stage: Stage, { conversationId }: Begun, decision: 'approve' | 'refuse') {
  const id = await until('an approval to wait', async () => {
    const path = `/approvals?status=waiting&conversation_id=${conversationId}`;
    const { body } = await stage.stack.api.call('GET', path);
    return (body as { data: { id: string }[] }).data[0]?.id;
  });
  await stage.stack.api.call('POST', `/approvals/${id}`, { body: { decision, note: planted } });
}

export const approvals: Story[] = [
  {
    name: 'approval-given',
    play: async (stage) => {
      const begun = await stage.begin(asking(), { webhook_url: stage.webhook() });
      await stage.doing(begun.workflowId, /approve/);
      await decide(stage, begun, 'approve');
      await stage.atRest(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'approval-refused-after-another-message',
    play: async (stage) => {
      const begun = await stage.begin(asking());
      await stage.doing(begun.workflowId, /approve/);
      await stage.send(begun);
      await decide(stage, begun, 'refuse');
      await stage.doing(begun.workflowId, /approve/, 1);
      return begun.workflowId;
    },
  },
  {
    name: 'approval-expired',
    play: async (stage) => {
      const begun = await stage.begin(asking({ expires_after_seconds: 2 }));
      await stage.doing(begun.workflowId, /approve/);
      await stage.atRest(begun.workflowId);
      return begun.workflowId;
    },
  },
];
