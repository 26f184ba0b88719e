/** The observations of a run from outside, and its rows: the input of the checker. */
import type { Message } from '../../src/contract/conversations/conversations.ts';
import type { SendFault, PlannedEvent } from './plan-events.ts';
import type { FaultKind } from './plan-faults.ts';
import type { PlannedMessage } from './plan-load.ts';

/** A message that a client sent, and its outcome. */
export type Sent = PlannedMessage & {
  text: string;
  path: string;
  /**
   * `accepted`: 202, or 200 to a sync call. `refused`: no 2xx at all. `ambiguous`: sent without a key, and no answer
   * came.
   */
  outcome: 'accepted' | 'refused' | 'ambiguous';
  /** True if the answer to an ambiguous message was 503. */
  toldRefused?: boolean;
  /** Epoch ms of the first 2xx. */
  acceptedAt?: number;
  /** From every 2xx. All must be the same. */
  conversationIds: string[];
  groupIds: string[];
};

export type Hit = {
  /** Epoch ms: the request had arrived whole. */
  at: number;
  path: string;
  event: string;
  conversationId: string;
  messageId?: string;
  metadata?: unknown;
  preTransfer: boolean;
  followUp: boolean;
  text: string;
};

/** An event that a gateway posted, and its outcome. */
export type SentEvent = PlannedEvent & {
  text: string;
  /** `accepted`: a 2xx to one of its posts. */
  outcome: 'accepted' | 'refused';
  /** The body of each 2xx. */
  answers: string[];
};

/** A message that a contact has received. */
export type LandedSend = {
  /** Epoch ms. */
  at: number;
  /** Id of the reply's row, with the part's number behind a colon. */
  trackId: string;
  number: string;
  text: string;
};

/** The gateway's fault at a send. */
export type GivenFault = { at: number; trackId: string; fault: SendFault; landed: boolean };

export type PartRow = {
  part_no: number;
  status: string;
  attempted_at: Date;
  finished_at: Date | null;
};

/** A row of the delivery log that left, or was to leave, through a gateway. */
export type ReplyRow = {
  id: string;
  event: string;
  status: string;
  error: string | null;
  conversation_id: string;
  message_id: string | null;
  number: string;
  created_at: Date;
  finished_at: Date | null;
  parts: PartRow[];
};

export type DeliveryRow = {
  id: string;
  event: string;
  path: string;
  status: string;
  conversation_id: string;
  message_id: string | null;
  attempted_at: Date | null;
  finished_at: Date | null;
  created_at: Date;
  duration_ms: number | null;
  error: string | null;
};

export type RunRow = {
  id: string;
  conversation_id: string;
  ordinal: number;
  mode: string;
  state: string;
  error: string | null;
  closes_at: Date;
  claimed_at: Date | null;
  finished_at: Date | null;
};

export type FaultRecord = {
  kind: FaultKind;
  /** Epoch ms. */
  at: number;
  /** Epoch ms: the component was back. */
  backAt: number;
  /** Callbacks that receivers were holding, the hostile ones that never answer left out. */
  inFlight: number;
  /** Replies that gateways were holding. */
  sendsInFlight: number;
  /** Calls that the API had not answered. */
  callsInFlight: number;
  /** Line that lost a reset connection. */
  line?: 'postgresLine' | 'temporalLine';
  /** The conversation that an operator touched. */
  conversationId?: string;
  skipped?: string;
};

export type AuditedAction =
  'agent_created' | 'agent_changed' | 'agent_deleted' | 'token_created' | 'token_revoked';

/** A call that changes something which the audit log records. */
export type AuditedChange = {
  action: AuditedAction;
  name: string;
  /** Id of what the call changes; empty if it creates it. */
  id: string;
  /** It got a 2xx. */
  acknowledged: boolean;
};

export type ObservedChange = AuditedChange & {
  /** By the rows. */
  isMade: boolean;
  /** In the audit log. */
  entries: number;
};

export type Observed = {
  sent: Sent[];
  changes: ObservedChange[];
  /** Entries of the audit log about no change that was tried. */
  strayEntries: string[];
  /** The result of `parley audit verify`. */
  chainProblem: string | undefined;
  hits: Hit[];
  events: SentEvent[];
  /** In the order of landing. */
  landed: LandedSend[];
  gatewayFaults: GivenFault[];
  replies: ReplyRow[];
  /** By conversation id, as the API lists them. */
  histories: Map<string, Message[]>;
  deliveries: DeliveryRow[];
  runs: RunRow[];
  faults: FaultRecord[];
  /** Epoch ms: the last message was sent and the last fault was over. */
  quietAt: number;
  /** Milliseconds from then until nothing was open; undefined if the time limit came first. */
  drainedMs: number | undefined;
  /** Connections that ended under a receiver before it had answered. */
  cutConnections: number;
  redirectsFollowed: number;
  nonDeterminism: number;
  failedWorkflows: number;
  /** Runs that an activity answered after its first one, by the results in the histories that were read. */
  warmRuns: number;
  /** Conversations could be kept warm, so runs must have been answered so. */
  isWarm: boolean;
  /** Each time that an API or a worker exited although no fault had ended it: how, and the end of its log. */
  crashes: string[];
  /** Statuses of 500 and more, other than 503, that callers and gateways were given. */
  serverErrors: number[];
  /** Places where a planted secret was found: logs, histories. */
  leaks: string[];
  /** Largest growth of a process's memory after its first seconds, in MB. */
  memoryGrowthMb: number;
  callbackTimeoutMs: number;
};
