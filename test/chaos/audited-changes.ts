/**
 * Changes that the audit log records, made during a run: the lives of agents over the API, and of tokens in the
 * console.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sealAudit, verifyAudit } from '../../src/adapters/postgres/accounts/audit-chain.ts';
import type { ApiAnswer } from '../support/api-client.ts';
import { makePerson, signInAs, type ConsoleCaller, type Person } from '../support/console-person.ts';
import type { AuditedAction, AuditedChange, Observed, ObservedChange } from './observed.ts';
import { randomOf } from './random.ts';
import type { Stand } from './stand.ts';

/** One agent or token: made, changed and ended. */
export type PlannedLife = {
  kind: 'agent' | 'token';
  /** Begins its name. */
  name: string;
  atMs: number;
  /** Between its calls. */
  waitMs: number;
};

export function planLives(options: { seed: number; durationMs: number; lives: number }): PlannedLife[] {
  const random = randomOf(options.seed, 'audit');
  return Array.from({ length: options.lives }, (_, index) => ({
    kind: random.chance(0.3) ? 'token' : 'agent',
    name: `audited ${index}`,
    atMs: Math.round(random.between(0, options.durationMs)),
    waitMs: Math.round(random.between(0, 400)),
  }));
}

const patienceMs = 90_000;
const callMs = 15_000;
/** A caller without an answer does not know whether its change was made. */
const isDone = (answer: ApiAnswer | undefined): answer is ApiAnswer =>
  answer !== undefined && answer.status < 300;

export class AuditedCallers {
  readonly changes: AuditedChange[] = [];
  readonly #stand: Stand;
  readonly #person: Person;
  #session: ConsoleCaller | undefined;

  private constructor(stand: Stand, person: Person) {
    this.#stand = stand;
    this.#person = person;
  }

  static async start(stand: Stand): Promise<AuditedCallers> {
    return new AuditedCallers(stand, await makePerson(stand));
  }

  /** @param startedAt epoch ms that the plan counts from */
  async run(plan: readonly PlannedLife[], startedAt: number): Promise<void> {
    await Promise.all(
      plan.map(async (life) => {
        await delay(Math.max(0, startedAt + life.atMs - Date.now()));
        await (life.kind === 'agent' ? this.#liveAsAgent(life) : this.#liveAsToken(life));
      }),
    );
  }

  async #liveAsAgent({ name: base, waitMs }: PlannedLife): Promise<void> {
    const { api } = this.#stand;
    const [name, id] = await this.#make('agent_created', base, (given) =>
      api.call('POST', '/agents', { body: { name: given } }),
    );
    if (id === undefined) return;
    await delay(waitMs);
    const change = { body: { description: 'changed' } };
    await this.#change({ action: 'agent_changed', name, id }, () =>
      api.call('PATCH', `/agents/${id}`, change),
    );
    await delay(waitMs);
    await this.#change({ action: 'agent_deleted', name, id }, () => api.call('DELETE', `/agents/${id}`));
  }

  async #liveAsToken({ name: base, waitMs }: PlannedLife): Promise<void> {
    const [name, id] = await this.#make('token_created', base, (given) =>
      this.#inConsole('/tokens', { name: given, scopes: ['agents.view'] }),
    );
    if (id === undefined) return;
    await delay(waitMs);
    await this.#change({ action: 'token_revoked', name, id }, () => this.#inConsole(`/tokens/${id}/revoke`));
  }

  /** Tries until one is acknowledged, under another name each time. @returns its name, and its id if it was made */
  async #make(
    action: AuditedAction,
    base: string,
    make: (name: string) => Promise<ApiAnswer>,
  ): Promise<[name: string, id: string | undefined]> {
    const end = Date.now() + patienceMs;
    let name = base;
    for (let attempt = 1; Date.now() < end; attempt += 1) {
      name = `${base}.${attempt}`;
      const given = name;
      const answer = await this.#change({ action, name, id: '' }, () => make(given));
      if (isDone(answer)) return [name, (answer.body as { id: string }).id];
      await delay(Math.min(2000, attempt * 200));
    }
    return [name, undefined];
  }

  /** Signs in again after a 401: a session ends when the clocks jump by a day. */
  async #inConsole(path: string, body?: unknown): Promise<ApiAnswer> {
    this.#session ??= await signInAs({ apiUrl: this.#stand.api.baseUrl }, this.#person);
    const answer = await this.#session.call('POST', path, body);
    if (answer.status === 401) this.#session = undefined;
    return answer;
  }

  async #change(
    what: Omit<AuditedChange, 'acknowledged'>,
    make: () => Promise<ApiAnswer>,
  ): Promise<ApiAnswer | undefined> {
    const late = delay(callMs, undefined, { ref: false });
    const answer = await Promise.race([make(), late]).catch(() => undefined);
    this.changes.push({ ...what, acknowledged: isDone(answer) });
    return answer;
  }
}

type Row = { id: string; name: string; changed: boolean; ended: boolean };

/** Reads what became of the changes, and their entries in the audit log. Gives each entry its place in the chain. */
export async function readAudit(
  { db, organizationId }: Stand,
  changes: readonly AuditedChange[],
): Promise<Pick<Observed, 'changes' | 'strayEntries' | 'chainProblem'>> {
  const { rows } = await db.pool.query<Row>(
    `select id, name, description = 'changed' as changed, deleted_at is not null as ended from agents where organization_id = $1
       union all select id, name, false, revoked_at is not null from api_tokens where organization_id = $1`,
    [organizationId],
  );
  const actions = ['agent_created', 'agent_changed', 'agent_deleted', 'token_created', 'token_revoked'];
  const { rows: entries } = await db.pool.query<{ id: string; action: string; target: string }>(
    'select id, action, target from audit_log where organization_id = $1 and action = any($2)',
    [organizationId, actions],
  );
  const known = new Set<string>();
  const observed = changes.map((change): ObservedChange => {
    const { action, name, id } = change;
    const own = entries.filter(
      ({ action: written, target }) =>
        written === action &&
        (action === 'agent_deleted' ? target === id : target === name || target.startsWith(`${name} (`)),
    );
    for (const one of own) known.add(one.id);
    const row = rows.find((one) => (id === '' ? one.name === name : one.id === id));
    return { ...change, entries: own.length, isMade: isMade(action, row) };
  });
  const isOurs = ({ action, target }: { action: string; target: string }) =>
    action === 'agent_deleted' || target.startsWith('audited ');
  while ((await sealAudit(db, organizationId)) > 0);
  return {
    changes: observed,
    strayEntries: entries
      .filter((one) => isOurs(one) && !known.has(one.id))
      .map(({ action, target }) => `${action} ${target}`),
    chainProblem: (await verifyAudit(db, organizationId)).problem,
  };
}

function isMade(action: AuditedAction, row: Row | undefined): boolean {
  if (row === undefined) return false;
  if (action === 'agent_changed') return row.changed;
  return action === 'agent_deleted' || action === 'token_revoked' ? row.ended : true;
}
