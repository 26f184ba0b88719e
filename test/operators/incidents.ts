/** Incidents, reproduced on the real product, and the clicks that show them in Temporal's UI. */
import { planted, type Begun, type Stage } from '../workflows/stories/stage.ts';
import { connected, inbound } from '../workflows/stories/channels.ts';
import { backing } from '../support/backing.ts';
import { until } from '../support/until.ts';
import { brokenBundle } from './broken-bundle.ts';

export type Incident = {
  /** Name of the picture, and of the heading in docs/operators.md. */
  name: string;
  /** Makes it happen. @returns the workflow to look at */
  happen: (stage: Stage) => Promise<string>;
  /** After the click on the workflow's row: what is clicked, by its text or its test id. */
  clicks: string[];
  /** Texts that the screen must show then. */
  shows: RegExp[];
};

const script = [{ reply: 'Hello!' }];
const metadata = 'user-metadata-tab';

async function atRest(stage: Stage, begin: Promise<Begun>, turns = 1): Promise<string> {
  const { workflowId } = await begin;
  await stage.atRest(workflowId, turns);
  return workflowId;
}

export const incidents: readonly Incident[] = [
  {
    name: 'no-answer',
    happen: (stage) =>
      atRest(stage, stage.begin({ script: [{ fail: { message: planted, retryable: false } }] })),
    clicks: [metadata],
    shows: [/FAILED; its row has the reason/],
  },
  {
    name: 'no-callback',
    happen: (stage) =>
      atRest(stage, stage.begin({ script }, { webhook_url: stage.webhook({ status: 500 }) })),
    clicks: [metadata],
    shows: [/callback: failed/],
  },
  {
    name: 'answered-twice',
    happen: async (stage) => {
      const begun = await stage.begin({ script }, { webhook_url: stage.webhook() });
      await stage.atRest(begun.workflowId);
      await stage.send(begun);
      // The user answered quickly, so the activity stays.
      await stage.doing(begun.workflowId, /ready for the next message/, 1);
      return begun.workflowId;
    },
    clicks: [],
    shows: [/nudge[\s\S]*nudge/, /group and model call[\s\S]*group and model call/],
  },
  {
    name: 'answers-late',
    happen: async (stage) => {
      const { workflowId } = await stage.begin({ script, grouping_window_seconds: 60 });
      await stage.doing(workflowId, /window/);
      return workflowId;
    },
    clicks: [metadata],
    shows: [/waiting for the group.s window, until/],
  },
  {
    name: 'stop-follow-ups',
    happen: (stage) =>
      atRest(stage, stage.begin({ script, follow_ups: [{ after_seconds: 3600, instructions: planted }] })),
    clicks: [metadata],
    shows: [/the next follow-up is due/],
  },
  {
    name: 'wrong-agent',
    happen: async (stage) => {
      const second = await stage.agent({ script });
      const first = {
        transfers_to: [second.id],
        script: [{ transfer_to: second.name, reply: 'One moment' }],
      };
      return await atRest(stage, stage.begin(first, { webhook_url: stage.webhook() }));
    },
    clicks: ['search-attributes-tab'],
    shows: [/ConversationState/, /transferred/],
  },
  {
    name: 'whatsapp-reply-waits',
    happen: async (stage) => {
      const { id, gateway } = await connected(stage, script);
      gateway.faults.always('/send/text', 'session_closed');
      const workflowId = await inbound(stage, id, gateway);
      await until('the timer', async () => {
        const { events } = await stage.handle(workflowId).fetchHistory();
        return events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
      });
      return workflowId;
    },
    clicks: [],
    shows: [/reply waits: session_down/],
  },
  {
    name: 'database-away',
    happen: async (stage) => {
      const { postgresLine } = stage.stack;
      const { workflowId } = await stage.begin({ script: [{ delay_ms: 3000, reply: 'Hello!' }] });
      await stage.doing(workflowId, /running/);
      await postgresLine.cut();
      stage.later(() => postgresLine.restore());
      await until('three attempts', async () => {
        const { raw } = await stage.handle(workflowId).describe();
        return (raw.pendingActivities?.[0]?.attempt ?? 0) >= 3;
      });
      return workflowId;
    },
    clicks: ['pending-activities-tab'],
    shows: [/Unforeseen|its message is in the worker/, /startRun/],
  },
  {
    name: 'stuck-after-deploy',
    happen: async (stage) => {
      const { worker, env } = stage.stack;
      const begun = await stage.begin({ script });
      await stage.atRest(begun.workflowId);
      await worker.stop();
      await worker.start({ WORKFLOW_BUNDLE: await brokenBundle((await backing()).folder) });
      stage.later(async () => {
        await worker.stop();
        await worker.start({ WORKFLOW_BUNDLE: env['WORKFLOW_BUNDLE'] });
      });
      await stage.send(begun);
      await until('a failed task', async () => {
        const { events } = await stage.handle(begun.workflowId).fetchHistory();
        return events?.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes);
      });
      return begun.workflowId;
    },
    clicks: ['history-tab'],
    shows: [/Workflow Task Failed/],
  },
  {
    name: 'nothing-is-answered',
    happen: async (stage) => {
      const { worker } = stage.stack;
      await worker.stop();
      stage.later(() => worker.start());
      return (await stage.begin({ script })).workflowId;
    },
    clicks: ['workers-tab'],
    shows: [/no workers|shutting down|inactive/i],
  },
];
