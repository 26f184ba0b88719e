/** Stories of rehearsals: recorded turns asked again. */
import { rehearsalWorkflow, rehearsalWorkflowId, type Workflows } from '../../../src/contract/workflows.ts';
import { until } from '../../support/until.ts';
import type { Stage, Story } from './stage.ts';

/** @returns the path of a new rehearsal, and the id of its workflow */
async function rehearse(stage: Stage, changed: object): Promise<{ path: string; workflowId: string }> {
  const begun = await stage.begin({ script: [{ reply: 'Hello' }] }, { sync: true });
  const { api } = stage.stack;
  await api.call('PUT', `/agents/${begun.agent.id}/draft`, { body: changed });
  const path = `/agents/${begun.agent.id}/rehearsals`;
  const answer = await api.call('POST', path, { body: { version: 'draft' } });
  const { id } = answer.body as { id: string };
  return { path: `${path}/${id}`, workflowId: rehearsalWorkflowId(id) };
}

export const rehearsals: Story[] = [
  {
    name: 'rehearsal-of-a-draft',
    play: async (stage) => {
      const { workflowId } = await rehearse(stage, { script: [{ reply: 'Hi' }] });
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'rehearsal-cancelled-while-a-turn-is-asked',
    play: async (stage) => {
      const { path, workflowId } = await rehearse(stage, { script: [{ reply: 'Hi', delay_ms: 60_000 }] });
      await until('its activity to be asked for', async () =>
        (await stage.activities(workflowId)).includes('rehearse'),
      );
      await stage.stack.api.call('POST', `${path}/cancel`);
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'rehearsal-that-names-no-row',
    play: async (stage) => {
      const { workflowId } = await stage.stack.temporal.client.workflow.start<Workflows['rehearsal']>(
        rehearsalWorkflow,
        { workflowId: rehearsalWorkflowId('by-hand'), taskQueue: 'agents', args: ['no id'] },
      );
      await stage.ended(workflowId);
      return workflowId;
    },
  },
];
