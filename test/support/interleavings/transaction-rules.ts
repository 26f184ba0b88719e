/** What each statement of the rows' code does: one indivisible step, for one conversation, in memory. */
import type { AcceptedInput } from '../../../src/adapters/postgres/conversations/inputs.ts';
import type { Claim } from '../../../src/adapters/postgres/conversations/runs.ts';
import type { Silence, StepOutcome } from '../../../src/domain/conversations/run-outcome.ts';
import {
  callRows,
  cancelAll,
  deliveryView,
  destinationRow,
  hasEnded,
  result,
  runView,
  takesMore,
  toolStepRows,
  type Company,
  type DeliveryRow,
  type RunRow,
  type StepRow,
} from './rows-in-memory.ts';
import { acceptance, deliveryEnd, newStep, type NewStep } from './statement-values.ts';

type Values = readonly unknown[];
type Rows = Record<string, unknown>[];
export class TransactionRules {
  readonly #company: Company;
  #id = '';
  #agent = 0;
  #url: string | undefined;
  readonly #runs: RunRow[] = [];
  readonly #deliveries: DeliveryRow[] = [];
  readonly #keys = new Map<string, { run: RunRow; message: string; debounced: boolean }>();

  constructor(company: Company) {
    this.#company = company;
  }

  get #rules() {
    return this.#company.agents[this.#agent === 0 ? 0 : 1];
  }

  query(name: string, values: Values): Rows {
    const rows = this.#statements[name];
    if (rows === undefined) throw new Error(`no rules for the statement ${name}`);
    return rows(values);
  }

  readonly #statements: Record<string, (values: Values) => Rows> = {
    'accept-input': (values) => [{ ...this.#accept(values) }],
    'claim-run': ([, , claimant, repeated, flush, now]) =>
      result(this.#claim(String(claimant), repeated === true, flush === true, Number(now))),
    'cancel-runs': ([, now]) => result(cancelAll(this.#runs, Number(now))),
    'claim-follow-up': ([, of, attempt, run, , now]) =>
      result(this.#claimFollowUp(String(of), Number(attempt), String(run), Number(now))),
    'run-view': ([run]) => result(this.#view(this.#run(run))),
    'step-outcome': ([run, step]) => result(this.#outcome(this.#run(run), Number(step))),
    'record-step': ([step, now]) => result(this.#record(newStep(step), Number(now))),
    'fail-run': ([run, , delivery, now]) => result(this.#fail(this.#run(run), String(delivery), Number(now))),
    'count-model-failure': ([of, step, error]) => {
      const run = this.#run(of);
      run.lastError = String(error);
      return [{ count: (run.failures[Number(step)] = (run.failures[Number(step)] ?? 0) + 1) }];
    },
    'transfer-destinations': ([, ids]) =>
      this.#company.agentIds.flatMap((id, side) =>
        JSON.stringify(ids).includes(id) ? [{ ...destinationRow(id, side) }] : [],
      ),
    'run-tool-steps': ([run]) => toolStepRows(this.#run(run)),
    'credits-since-message': () => [{ credits: 0 }],
    'claim-tool-call': ([run, step, position]) => {
      const { state, steps } = this.#run(run);
      const call = steps[Number(step)]?.calls[Number(position) - 1];
      if (call === undefined || state !== 'running' || !/pending|attempting/.test(call.status)) return [];
      call.status = 'attempting';
      const of = { organization_id: this.#company.organizationId, conversation_id: this.#id };
      return [{ name: call.name, input: call.input, ...of, allowed: false }];
    },
    'finish-tool-call': ([run, step, position, status, text]) => {
      const call = this.#run(run).steps[Number(step)]?.calls[Number(position) - 1];
      if (call?.status === 'attempting') Object.assign(call, { status, result: text });
      return [];
    },
    'delivery-view': ([id]) => result(this.#deliveryView(String(id))),
    'claim-delivery': ([id]) => {
      const delivery = this.#deliveries.find((one) => one.id === id && one.status === 'pending');
      if (delivery) delivery.status = 'attempting';
      return delivery ? [{ id }] : [];
    },
    'finish-delivery': (values) => {
      const { id, from, status } = deliveryEnd(values);
      const delivery = this.#deliveries.find((one) => one.id === id && one.status === from);
      if (delivery) delivery.status = status;
      return [];
    },
  };

  #run(id: unknown): RunRow {
    const run = this.#runs.find((one) => one.id === id);
    if (run === undefined) throw new Error(`no run ${String(id)}`);
    return run;
  }

  #accept(values: Values): AcceptedInput {
    const { input, metadata, now } = acceptance(values);
    const known = this.#keys.get(input.key);
    const answer = (
      outcome: AcceptedInput['outcome'],
      run: RunRow,
      message: string,
      debounced: boolean,
      wake?: number,
    ) => ({
      outcome,
      conversation_id: this.#id,
      run_id: run.id,
      message_id: message,
      agent_id: this.#company.agentIds[0],
      debounced,
      wake_at: wake === undefined ? null : new Date(wake),
    });
    if (known) return answer('repeat', known.run, known.message, known.debounced, known.run.closes);
    this.#id ||= input.new_conversation_id;
    const { windowMs, capMs, most } = this.#rules;
    const debounced = !input.sync && windowMs > 0;
    const open = this.#runs.find(({ state }) => state === 'collecting');
    const busy = this.#runs.some(({ state }) => state === 'ready' || state === 'running');
    let wake: number | undefined;
    let joined = this.#rules.merges && !input.sync ? takesMore(this.#runs.at(-1)) : undefined;
    if (open && !joined) {
      if (!debounced || now >= open.cap || (now >= open.closes && !busy)) {
        Object.assign(open, { state: 'ready', closes: Math.min(open.closes, now) });
        wake = now;
      } else {
        joined = open;
        const full = open.inputs.length + 1 >= open.most;
        const closes = full ? now : Math.min(now + windowMs, open.cap);
        if (full || closes < open.closes) wake = closes;
        Object.assign(open, { closes, state: full ? 'ready' : 'collecting' });
      }
    }
    const run =
      joined ?? this.#begin(input.run_id, input.sync ? 'sync' : debounced ? 'window' : 'single', now);
    if (!joined) {
      const waits = debounced && most > 1;
      Object.assign(run, { cap: now + capMs, most, state: waits ? 'collecting' : 'ready' });
      run.closes = waits ? now + Math.min(windowMs, capMs) : now;
      wake = Math.min(wake ?? run.closes, run.closes);
    }
    run.inputs.push({ text: input.text, url: input.webhook_url, metadata });
    this.#url = input.webhook_url ?? this.#url;
    this.#keys.set(input.key, { run, message: input.message_id, debounced });
    return answer('accepted', run, input.message_id, debounced, wake);
  }

  #claim(claimant: string, repeated: boolean, flush: boolean, now: number): Claim {
    const mine = this.#runs.findLast(
      (run) => run.claimedBy === claimant && hasEnded(run) && run.state !== 'cancelled',
    );
    if (repeated && mine) return { kind: 'ended', outcome: this.#ended(mine) };
    const left = this.#deliveries.find(({ status }) => status === 'pending' || status === 'attempting');
    if (left) return { kind: 'deliver', delivery_id: left.id };
    const run = this.#runs.find((one) => !hasEnded(one));
    if (run === undefined) {
      const silence = this.#silence();
      return { kind: 'idle', ...(silence && { silence }) };
    }
    if (run.state === 'collecting' && now < run.closes && !flush)
      return { kind: 'waiting', wake_at: run.closes, wait_ms: run.closes - now };
    if (run.state !== 'running')
      Object.assign(run, { state: 'running', agent: this.#agent, claimedBy: claimant });
    return { kind: 'run', run: this.#view(run) };
  }

  #claimFollowUp(of: string, attempt: number, id: string, now: number): Claim {
    const known = this.#runs.find((run) => run.of === of && run.attempt === attempt);
    if (known?.state === 'running') return { kind: 'run', run: this.#view(known) };
    if (known) return { kind: 'ended', outcome: this.#ended(known) };
    const root = this.#runs.find((run) => run.id === of);
    const later = root ? this.#runs.slice(this.#runs.indexOf(root) + 1) : [];
    const superseded =
      root?.state !== 'answered' ||
      later.some(({ mode, state }) => mode !== 'follow_up' || state === 'failed') ||
      this.#rules.followUps.length < attempt;
    if (superseded) return { kind: 'superseded' };
    const run = Object.assign(this.#begin(id, 'follow_up', now), { of, attempt, state: 'running' });
    return { kind: 'run', run: this.#view(run) };
  }

  #record(step: NewStep, now: number): StepOutcome | { next: 'stale' } {
    const run = this.#run(step.run_id);
    if (run.steps[step.step]) return this.#outcome(run, step.step);
    if (run.state !== 'running') return { next: 'gone' };
    if (run.inputs.length !== step.inputs) return { next: 'stale' };
    const speaks = step.kind !== 'tools' && step.text !== '';
    const made: StepRow = {
      kind: step.kind,
      text: step.text,
      agent: run.agent,
      calls: callRows(step),
      ...(speaks && { message: step.message_id }),
    };
    const url = this.#webhook(run);
    if (speaks && url !== undefined) {
      made.delivery = step.delivery_id;
      this.#deliveries.push({ id: step.delivery_id, run, step: made, url, status: 'pending' });
    }
    run.steps[step.step] = made;
    if (step.kind === 'answer') Object.assign(run, { state: 'answered', finished: now });
    if (step.kind === 'transfer') {
      this.#agent = this.#company.agentIds.indexOf(step.transfer_to ?? '');
      Object.assign(run, { agent: this.#agent, transfers: run.transfers + 1 });
    }
    return this.#outcome(run, step.step);
  }

  #fail(run: RunRow, delivery: string, now: number): StepOutcome {
    const url = this.#webhook(run);
    if (run.state === 'running') {
      Object.assign(run, { state: 'failed', finished: now });
      if (url !== undefined) this.#deliveries.push({ id: delivery, run, url, status: 'pending' });
    }
    return this.#ended(run);
  }

  #ended(run: RunRow): StepOutcome {
    if (run.state === 'answered') return this.#outcome(run, run.steps.length - 1);
    if (run.state === 'cancelled') return { next: 'cancelled', runId: run.id };
    const delivery = this.#deliveries.find((one) => one.run === run && one.step === undefined);
    return { next: 'failed', runId: run.id, ...(delivery && { deliveryId: delivery.id }), ...this.#wake() };
  }

  #outcome(run: RunRow, number: number): StepOutcome {
    const step = run.steps[number];
    if (step === undefined) return { next: 'gone' };
    const at = {
      runId: run.id,
      step: number,
      ...(step.delivery !== undefined && { deliveryId: step.delivery }),
    };
    if (step.kind === 'transfer') return { next: 'transfer', ...at };
    if (step.kind === 'tools') {
      const open = step.calls.flatMap(({ name, status }, index) =>
        status === 'pending' || status === 'attempting' ? [{ position: index + 1, name }] : [],
      );
      return { next: 'tools', ...at, calls: open };
    }
    const followUps = this.#followUpsAfter(run);
    return {
      next: 'answer',
      ...at,
      ...this.#wake(),
      ...(followUps && { followUps, answeredAt: run.finished }),
    };
  }

  #wake(): { wakeAt?: number } {
    const waiting = this.#runs.filter(({ state }) => state === 'collecting' || state === 'ready');
    return waiting.length === 0 ? {} : { wakeAt: Math.min(...waiting.map(({ closes }) => closes)) };
  }

  #silence(): Silence | undefined {
    const last = this.#runs.at(-1);
    const after = last?.state === 'answered' ? this.#followUpsAfter(last) : undefined;
    const attempt = (last?.attempt ?? 0) + 1;
    if (last === undefined || after === undefined || after.length < attempt) return undefined;
    return { of: last.of ?? last.id, attempt, since: last.finished, after };
  }

  #followUpsAfter(run: RunRow): number[] | undefined {
    const { followUps } = this.#company.agents[run.agent === 0 ? 0 : 1];
    const spoke = run.steps.some(({ message }) => message !== undefined);
    return spoke && followUps.length > 0 ? followUps.map((ms) => ms / 1000) : undefined;
  }

  #webhook(run: RunRow): string | undefined {
    if (run.mode === 'sync') return undefined;
    if (run.mode === 'follow_up') return this.#url;
    return run.inputs.findLast(({ url }) => url !== undefined)?.url;
  }

  #begin(id: string, mode: RunRow['mode'], now: number): RunRow {
    const run: RunRow = {
      ...{ id, mode, ordinal: this.#runs.length + 1, state: 'ready', agent: this.#agent },
      ...{ closes: now, cap: now, most: 1, inputs: [], transfers: 0, steps: [], failures: [] },
      ...{ lastError: null, finished: 0 },
    };
    this.#runs.push(run);
    return run;
  }

  #view(run: RunRow) {
    return runView(run, this.#id, this.#company);
  }

  #deliveryView(id: string): unknown {
    const delivery = this.#deliveries.find((one) => one.id === id);
    if (delivery === undefined) return null;
    const { run } = delivery;
    return deliveryView(delivery, run.of === undefined ? run : this.#run(run.of), this.#id, this.#company);
  }
}
