/** The reference model: a conversation by the contract alone, written without a look at the implementation. */
import { callbackLine, markOf, type AgentRules, type Observation, type SeenInput } from './observation.ts';

interface Group {
  id: string;
  inputs: SeenInput[];
  phase: 'open' | 'closed' | 'running' | 'ended';
  closes: number;
  cap: number;
  most: number;
  sync: boolean;
  steps: number;
  spoke: boolean;
  of?: string;
  attempt: number;
}

export class ConversationModel {
  agent = 0;
  groups: Group[] = [];
  callbacks: string[] = [];
  sent = 0;
  killed = false;
  url: string | undefined;
  plan: { of: string; attempt: number; due: number } | undefined;
  stoppedAt = 0;
  freeAt = 0;
  seen: Record<string, string> = {};

  /** Takes one observation. @returns what the contract does not allow of it, or '' */
  take(o: Observation, agents: AgentRules[], lateMs: number): string {
    const { windowMs, capMs, most } = agents[this.agent]!;
    const run = this.groups.find((group) => 'run' in o && group.id === o.run);
    const first = this.groups.find((group) => group.phase !== 'ended');
    if (o.kind === 'accept') {
      if (o.repeat) return this.seen[o.text] === o.run ? '' : 'a repeat names another run';
      if (this.seen[o.text] !== undefined) return 'accepted twice';
      this.seen[o.text] = o.run;
      const open = this.groups.find((group) => group.phase === 'open');
      const grouped = !o.sync && windowMs > 0;
      const last = this.groups.at(-1);
      const merges = agents[this.agent]!.merges && !o.sync && last?.phase === 'running' && !last.sync;
      if (merges && !last.of && !last.spoke && last.inputs.length < last.most) {
        if (o.run !== last.id || o.debounced !== grouped) return 'did not join the run under way';
        last.inputs.push(o);
        this.url = o.url ?? this.url;
        this.plan = undefined;
        return '';
      }
      const inTime = open && o.t < open.cap && (o.t < open.closes || first !== open);
      if (grouped !== o.debounced || run !== (grouped && inTime ? open : undefined)) return 'wrong group';
      if (open && !run) Object.assign(open, { phase: 'closed', closes: Math.min(open.closes, o.t) });
      const blank = { id: o.run, inputs: [], steps: 0, spoke: false, attempt: 0, sync: o.sync };
      const group: Group = run ?? { ...blank, phase: 'open', closes: o.t, cap: o.t + capMs, most };
      if (!run) this.groups.push(group);
      group.inputs.push(o);
      const waits = grouped && group.inputs.length < group.most;
      group.closes = waits ? Math.min(o.t + windowMs, group.cap) : o.t;
      if (!waits) group.phase = 'closed';
      this.url = o.url ?? this.url;
      this.plan = undefined;
    } else if (o.kind === 'claim') {
      if (o.got === 'ended') return run?.phase === 'ended' ? '' : 'a repeat reads what has not ended';
      if (o.got === 'deliver') {
        if (first && first.phase !== 'running' && this.stoppedAt < o.began) this.stoppedAt = 0;
        if (o.idle !== !first) return first ? 'a group that waits is not seen' : 'a group is seen, wrongly';
        return this.killed || this.sent < this.callbacks.length ? '' : 'nothing left';
      }
      if (!first || o.got === 'idle') return !first && o.got === 'idle' ? '' : `${o.got}, wrongly`;
      const early = first.phase === 'open' && o.t < first.closes && !o.flush;
      if (early !== (o.got === 'waiting')) return early ? 'runs before its time' : 'a due group waits';
      if (first.phase !== 'running' && this.stoppedAt < o.began) this.stoppedAt = 0;
      if (o.got === 'waiting') return o.until === first.closes ? '' : 'waits for the wrong time';
      if (run !== first || o.inputs !== String(first.inputs.map(({ text }) => text))) return 'wrong inputs';
      const late = o.t - Math.max(first.closes, this.freeAt);
      if (first.phase !== 'running' && late > lateMs) return `a group runs ${late} ms late`;
      first.phase = 'running';
    } else if (o.kind === 'followUp') {
      const due = this.plan?.of === o.of && this.plan.attempt === o.attempt ? this.plan.due : Infinity;
      if (o.got !== 'run' || run) return due < Infinity ? 'a due follow-up was refused' : '';
      if (o.t < due || o.t > Math.max(due, this.freeAt) + lateMs) return `follow-up due ${due} at ${o.t}`;
      const { of, attempt, run: id, t } = o;
      const begun = { id, of, attempt, inputs: [], closes: t, cap: t, most, sync: false };
      this.groups.push({ ...begun, phase: 'running', steps: 0, spoke: false });
      this.plan = undefined;
    } else if (o.kind === 'step') {
      const asked = o.inputs ?? run?.inputs.length;
      if (o.did === 'stale') return asked === run?.inputs.length ? 'refused for nothing' : '';
      if (run?.phase !== 'running' || (o.did !== 'fail' && o.step !== run.steps)) return '';
      const all = `re ${run.inputs.map(({ text }) => text).join('+')}`;
      const isOfAll = o.did !== 'answer' || o.text === '' || run.of !== undefined || o.text === all;
      if (asked !== run.inputs.length || !isOfAll) return 'made without an input of its run';
      run.steps += 1;
      const root = this.groups.find((group) => group.id === run.of) ?? run;
      const url = run.of ? this.url : run.inputs.findLast((input) => input.url !== undefined)?.url;
      const meta = root.inputs.find((input) => input.meta !== undefined)?.meta;
      if (o.text !== '' && o.did !== 'tools' && url !== undefined && !run.sync)
        this.callbacks.push(callbackLine(url, markOf(o.did, run.attempt), this.agent, o.text, meta));
      run.spoke ||= o.text !== '' && (o.did === 'answer' || o.did === 'transfer');
      if (o.did === 'transfer') this.agent = 1 - this.agent;
      if (o.did === 'transfer' || o.did === 'tools') return '';
      run.phase = 'ended';
      this.freeAt = o.t;
      const after = agents[this.agent]!.followUps[run.attempt];
      const silent = this.groups.every((group) => group.phase === 'ended') && this.stoppedAt === 0;
      if (o.did === 'answer' && run.spoke && after !== undefined && silent)
        this.plan = { of: root.id, attempt: run.attempt + 1, due: o.t + after };
    } else if (o.kind === 'send') {
      this.freeAt = o.until;
      this.killed ||= o.killed;
      const expected = this.callbacks[this.sent++];
      return o.body === expected ? '' : `callback ${o.body}, expected ${expected ?? 'none'}`;
    } else if (o.kind === 'cancel') {
      const open = this.groups.filter(({ phase }) => phase !== 'ended');
      for (const group of open) group.phase = 'ended';
      const count = open.reduce((sum, { inputs }) => sum + inputs.length, 0);
      return count === o.inputs ? '' : `${o.inputs} inputs cancelled, expected ${count}`;
    } else [this.stoppedAt, this.plan] = [o.stamp, undefined];
    return '';
  }
}
