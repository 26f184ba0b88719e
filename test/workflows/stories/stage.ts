/** The stage of a story: the whole product on a scripted model, with the accidents of real life. */
import { conversationWorkflows } from '../../../src/adapters/temporal/conversation-workflows.ts';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import {
  controlSignal,
  conversationWorkflowId,
  recoveryNudge,
  statusQuery,
  type Control,
  periodicWorkflowId,
  type ConversationStatus,
  type PeriodicWorkflow,
  type RoundsPlan,
  type Workflows,
} from '../../../src/contract/workflows.ts';
import type { Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

/** Settings of the API and the worker. */
export const warmSettings = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  GATEWAY_ALLOW: '127.0.0.1/32',
  GATEWAY_PACE: 'none',
};
/** Settings of stories that show every turn as an activity of its own. */
export const stageSettings = { ...warmSettings, WARM_TURNS: '1' };

export type Story = {
  /** Name of the file: the event of the story, in kebab-case. */
  name: string;
  /** Played where conversations are kept warm. */
  warm?: true;
  /** @returns the id of the workflow to record: its latest run, or every run of it */
  play: (stage: Stage) => Promise<string | { workflowId: string; everyRun: true }>;
};

type AgentFields = { script?: { reply?: string; [field: string]: unknown }[]; [field: string]: unknown };

const idleMs = 600_000;
/** In everything that a caller, an agent or a model writes: no history may hold it. */
export const planted = 'zq7planted7qz';
/** Length in events from which the recording server reports a long history: the real figure is 4,096. */
export const suggestedHistory = 100;
let paths = 0;

export class Stage {
  readonly stack: Stack;
  readonly #later: (() => Promise<void>)[] = [];
  constructor(stack: Stack) {
    this.stack = stack;
  }

  /** For once the history has been read. */
  later(task: () => Promise<void>): void {
    this.#later.push(task);
  }
  async afterwards(): Promise<void> {
    for (const task of this.#later.splice(0)) await task();
  }

  /** A webhook of one's own, which answers after so long and with this status. */
  webhook(behaviour: { delayMs?: number; status?: number } = {}): string {
    const path = `/${planted}/${(paths += 1)}`;
    this.stack.receiver.behave(path, behaviour);
    return this.stack.receiver.url(path);
  }

  /** A new agent, with planted words wherever it has any. */
  async agent({ script = [], ...fields }: AgentFields): Promise<Agent> {
    const name = `${planted} ${crypto.randomUUID()}`;
    const rules = script.map(({ reply, ...rule }) => ({ ...rule, ...(reply && { reply: reply + planted }) }));
    return await this.stack.api.createAgent({ name, instructions: planted, ...fields, script: rules });
  }

  /** A first message to a new agent. */
  async begin(agentFields: AgentFields, message: Record<string, unknown> = {}): Promise<Begun> {
    return await this.beginWith(await this.agent(agentFields), message);
  }

  async beginWith(agent: Agent, message: Record<string, unknown> = {}): Promise<Begun> {
    const contact = { id: planted, name: planted };
    const body: Record<string, unknown> = {
      ...{ message: `Hello ${planted}`, metadata: { ref: planted }, contact },
      ...message,
    };
    const conversationId =
      body['sync'] === true
        ? (await this.stack.api.ask(agent.id, body)).conversation_id
        : (await this.stack.api.send(agent.id, body)).conversation_id;
    const workflowId = conversationWorkflowId(conversationId);
    await until('the workflow to start', () => this.handle(workflowId).describe());
    return { agent, conversationId, workflowId };
  }

  async send({ agent, conversationId }: Begun, message = 'And this'): Promise<void> {
    await this.stack.api.send(agent.id, {
      message: `${message} ${planted}`,
      conversation_id: conversationId,
    });
  }

  /** Until a run is cancelled with it. */
  async cancel({ conversationId }: Begun): Promise<void> {
    await until('a run to be cancelled', async () => {
      const answer = await this.stack.api.call('POST', `/conversations/${conversationId}/cancel`);
      return (answer.body as { cancelled: string[] }).cancelled.length > 0;
    });
  }

  async status(workflowId: string): Promise<ConversationStatus> {
    return await this.handle(workflowId).query(statusQuery);
  }

  /** Waits until the conversation's state is this one, after so many runs. */
  async doing(workflowId: string, what: RegExp, turns = 0): Promise<void> {
    await until(`${workflowId} to be "${what.source}" after ${turns} runs`, async () => {
      const { doing, turns: ended } = await this.status(workflowId);
      return what.test(doing) && ended >= turns;
    });
  }

  /** Waits until it has answered, and waits itself. */
  async atRest(workflowId: string, turns = 1): Promise<void> {
    await this.doing(workflowId, /waiting/, turns);
  }

  async ended(workflowId: string): Promise<void> {
    await until(
      `${workflowId} to end`,
      async () => (await this.handle(workflowId).describe()).status.name !== 'RUNNING',
    );
  }

  /** The names of the activities that the workflow has asked for so far. */
  async activities(workflowId: string): Promise<string[]> {
    const { events = [] } = await this.handle(workflowId).fetchHistory();
    return (events ?? []).flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
    );
  }

  async control(workflowId: string, command: Control): Promise<void> {
    await this.handle(workflowId).signal(controlSignal, command);
  }

  /** Starts the workflow of a Schedule, with a plan of its own. */
  async housekeeping(workflow: PeriodicWorkflow, plan: RoundsPlan) {
    return await this.stack.temporal.client.workflow.start<Workflows[PeriodicWorkflow]>(workflow, {
      workflowId: `${periodicWorkflowId(workflow)}-${plan.times}`,
      taskQueue: 'agents',
      args: [plan],
    });
  }

  handle(workflowId: string) {
    return this.stack.temporal.client.workflow.getHandle(workflowId);
  }

  /** Does what recovery does for a stalled conversation. */
  async nudge({ agent, conversationId }: Begun, at = recoveryNudge): Promise<void> {
    const { client, namespace } = this.stack.temporal;
    const workflows = conversationWorkflows({
      ...{ client, namespace, idleMs, taskQueue: 'agents', deadlineMs: 10_000 },
    });
    const { organizationId } = this.stack;
    await workflows.nudge({ id: conversationId, organizationId, agentId: agent.id, channel: 'api' }, at);
  }

  /** The rows go, as after an erasure whose workflow could not be reached. */
  async eraseRows({ conversationId }: Begun): Promise<void> {
    await this.stack.db.knex('conversations').where({ id: conversationId }).delete();
  }
}

export type Begun = { agent: Agent; conversationId: string; workflowId: string };
