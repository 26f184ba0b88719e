/**
 * docs/refunds.md, followed in a browser by its own labels, values and commands, against the refund service that it
 * starts.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentVersion } from '../../../src/contract/conversations/agent-versions.ts';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import type { Approval } from '../../../src/contract/conversations/approvals.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import type { Rehearsal } from '../../../src/contract/rehearsals/rehearsals.ts';
import { readShell, settingsOf } from '../../docs/commands.ts';
import { pages, readPage } from '../../docs/pages.ts';
import { openShell } from '../../docs/shell-session.ts';
import { startExample, type Example } from '../../examples/run-example.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { useConsole } from '../../support/browser/console.ts';
import { deedsOf, filesOf, Follower, stepsOf } from '../../support/browser/follow-steps.ts';
import { useStack } from '../../support/stack.ts';

const path = 'docs/refunds.md';
const found = pages.find((page) => page.path === path);

describe('The tutorial docs/refunds.md', () => {
  let service: Example;
  let refundsUrl: string;
  const folder = mkdtempSync(join(tmpdir(), 'parley-refunds-'));
  const shared = useConsole(() =>
    useStack(async () => {
      service = startExample('refunds.ts', { PORT: '0', REFUNDS_FILE: join(folder, 'refunds.sqlite') });
      [, refundsUrl = ''] = await service.says(/listening: (\S+)/);
      return { env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), ...startSettings() } };
    }),
  );
  after(async () => {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The page with the addresses of this run and its token, as its reader sees them. */
  function ownPage(values: { origin: string; token: string } | undefined) {
    assert.ok(found);
    const own = (text: string) => {
      const local = text.replaceAll('127.0.0.1:4030', new URL(refundsUrl).host);
      if (values === undefined) return local;
      return local.replaceAll('http://127.0.0.1:3000', values.origin).replaceAll('pk_…', values.token);
    };
    return {
      ...found,
      prose: own(found.prose),
      blocks: found.blocks.map((one) => ({ ...one, text: own(one.text) })),
    };
  }

  /** Reads the settings of the line that starts Parley. */
  function startSettings(): Record<string, string> {
    const commands = ownPage(undefined).blocks.flatMap(({ language, text }) =>
      language === 'sh' ? readShell(text) : [],
    );
    const start = commands.find(({ command }) => command.endsWith(' npm start'));
    return settingsOf(start?.command ?? assert.fail('the page does not start Parley'));
  }

  const read = async <T>(api: ApiClient, at: string): Promise<T> => (await api.call('GET', at)).body as T;
  const list = async <T>(api: ApiClient, at: string): Promise<T[]> =>
    (await read<{ data: T[] }>(api, at)).data;
  const refunds = async () => await (await fetch(refundsUrl)).json();

  it('leads from a tool to a cap that is reached, by its labels alone', async () => {
    const { signedIn, person, api, db, origin, token } = shared();
    const began = performance.now();
    const page = ownPage({ origin, token });
    const steps = stepsOf(page);
    const as = await person();
    const atDesk = await signedIn({ as });
    const onPhone = await signedIn({ as, width: 390 });
    // The last message is refused, as the page describes.
    atDesk.expectRefusals();
    await atDesk.open('/');
    await onPhone.open('/');
    let [number, count, visitor] = [0, 0, atDesk];
    const shoot = async (label: string) => {
      await visitor.shoot(
        `refunds-${number}-${String((count += 1)).padStart(2, '0')}-${label.replaceAll(/\W+/g, '-')}`,
      );
    };
    const files = filesOf(page);
    const desk = new Follower(atDesk.page, files, shoot);
    const phone = new Follower(onPhone.page, files, shoot);

    const agentOf = async () => {
      const agents = await list<Agent>(api, '/agents');
      return agents.find(({ tools }) => tools.includes('refund')) ?? assert.fail('no agent has the tool');
    };
    const versions = async () => await list<AgentVersion>(api, `/agents/${(await agentOf()).id}/versions`);
    const answered = async () =>
      (await versions()).map((one) => [one.version, one.published, one.candidate_percent]);
    /** Checks of the parts after each step. */
    const checks: Record<string, () => Promise<void>> = {
      'The refund tool': async () => {
        const [tool] = await list<{ effect: string; parameters: unknown }>(api, '/tools/http');
        const properties = { order: { type: 'string' }, amount: { type: 'number' } };
        assert.equal(tool?.effect, 'destructive');
        assert.deepEqual(tool.parameters, { type: 'object', properties, required: ['order', 'amount'] });
      },
      'The agent and its policy': async () => {
        const policy = { tool: 'refund', policy: 'ask', unless: 'amount <= 50' };
        assert.deepEqual((await agentOf()).tool_policies, [policy]);
      },
      'A refund up to 50': async () => {
        assert.deepEqual(await refunds(), [{ order: 'A7', amount: 30 }]);
        assert.deepEqual(await list(api, '/approvals'), []);
      },
      'A refund above 50, decided on a phone': async () => {
        const approvals = await list<Approval>(api, '/approvals');
        assert.deepEqual(
          approvals.map(({ arguments: given, status, note }) => [given, status, note ?? null]),
          [
            [{ order: 'C9', amount: 120 }, 'refused', 'No receipt'],
            [{ order: 'B8', amount: 80 }, 'executed', null],
          ],
        );
      },
      'A change of the prompt': async () => {
        // Creating the agent makes version 1, which is empty.
        assert.deepEqual(await answered(), [
          [2, true, null],
          [1, false, null],
        ]);
        assert.doesNotMatch((await agentOf()).instructions, /Thank/);
      },
      'A rehearsal': async () => {
        const [rehearsal] = await list<Rehearsal>(api, `/agents/${(await agentOf()).id}/rehearsals`);
        assert.ok(rehearsal);
        const { same, other_text } = rehearsal.outcomes;
        assert.deepEqual([rehearsal.passed, rehearsal.turns, same, other_text], [true, 2, 1, 1]);
      },
      'A tenth of the new conversations': async () => {
        assert.deepEqual(await answered(), [
          [3, false, 10],
          [2, true, null],
          [1, false, null],
        ]);
      },
      'Roll back': async () => {
        const [newest] = await versions();
        assert.deepEqual([newest?.version, newest?.published, newest?.restores], [4, true, 2]);
        assert.doesNotMatch((await agentOf()).instructions, /Thank/);
      },
      'A cap on credits': async () => {
        const body = { message: 'Hello', sync: true };
        const { status, body: refusal } = await api.call('POST', `/chat/${(await agentOf()).id}`, { body });
        assert.deepEqual([status, (refusal as ErrorBody).code], [402, 'credit_cap_reached']);
      },
    };
    const walked = steps.filter(({ items }) => items.length > 0);
    assert.deepEqual(
      walked.map(({ heading }) => heading),
      Object.keys(checks),
    );

    /** Runs the step's commands that are for both ways: those in `sh`. */
    const shell = openShell(folder, { PATH: process.env['PATH'], HOME: folder }, '');
    const [start] = steps;
    const runAll = async (text: string) => {
      const outputs: string[] = [];
      for (const { command } of readShell(text)) {
        const { output, code } = await shell.run(command);
        assert.equal(code, 0, `${command}\n${output}`);
        outputs.push(output);
      }
      return outputs.join('\n');
    };
    const ofCalls = start?.blocks.find(({ text }) => text.includes('call()')) ?? assert.fail();
    await runAll(ofCalls.text);

    for (const { heading, items, blocks } of walked) {
      number += 1;
      count = 0;
      for (const item of items) {
        const isOnPhone = item.startsWith('On the phone');
        visitor = isOnPhone ? onPhone : atDesk;
        for (const deed of deedsOf(item)) {
          try {
            await (isOnPhone ? phone : desk).follow(deed);
          } catch (cause) {
            throw new Error(`${path}, ${heading}: ${item}`, { cause });
          }
        }
        if (isOnPhone) await visitor.look(`refunds-${number}-phone-${items.indexOf(item) + 1}`);
      }
      await atDesk.look(`refunds-${number}`);
      await checks[heading]?.();
      for (const { text } of blocks.filter(({ language }) => language === 'sh')) {
        await shell.run(`AGENT=${(await agentOf()).id}`);
        const printed = await runAll(text);
        if (heading.startsWith('A tenth')) await demandTenth(printed);
      }
    }
    await shell.close();

    /** The share is of the conversations that were stored, each answered by the version that it drew. */
    async function demandTenth(printed: string): Promise<void> {
      const counted = [...printed.matchAll(/^\s*(\d+) (.*)$/gm)].map(
        ([, n, text = '']) => [text, Number(n)] as const,
      );
      const thanked = new Map(counted).get('Thank you. Your refund of 30 is on its way.') ?? 0;
      const plain = new Map(counted).get('Your refund of 30 is on its way.') ?? 0;
      assert.equal(plain + thanked, 50, printed);
      const { rows } = await db.pool.query<{ drawn: number | null; versions: number[] }>(
        `select c.candidate_version as drawn, array_agg(distinct r.agent_version) as versions
           from conversations c join runs r on r.conversation_id = c.id
           where c.organization_id = (select organization_id from agents where id = $1)
           group by c.id order by min(r.opened_at) desc limit 50`,
        [(await agentOf()).id],
      );
      for (const { drawn, versions: by } of rows) assert.deepEqual(by, [drawn ?? 2]);
      assert.equal(rows.filter(({ drawn }) => drawn === 3).length, thanked);
      // More than 20 of 50 at a tenth: once in a thousand million runs.
      assert.ok(thanked <= 20, printed);
    }

    // One refund of what a person approved, one of what needed nobody; of what was refused, not even a request.
    assert.deepEqual(await refunds(), [
      { order: 'A7', amount: 30 },
      { order: 'B8', amount: 80 },
    ]);
    assert.equal(service.output().match(/: B8 /g)?.length, 1);
    assert.doesNotMatch(service.output(), /C9/);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const [clicks, settings] = [desk.clicks + phone.clicks, desk.settings + phone.settings];
    console.log(`      ${walked.length} steps, ${clicks} clicks, ${settings} fields, ${seconds} s`);
  });

  it('is read so that a wrong label, a value without a label and an idle item are seen', async () => {
    const visitor = await shared().signedIn();
    await visitor.open('/');
    const follower = new Follower(visitor.page, new Map(), () => Promise.resolve(), 500);
    for (const item of [
      'Choose **Toolz**.',
      'Set **Nowhere** to `x`.',
      'The page says “Everything is lost”.',
    ]) {
      const [deed] = deedsOf(item);
      await assert.rejects(follower.follow(deed ?? assert.fail()), /not within/);
    }
    assert.throws(() => deedsOf('Set `x`.'), /no label is set/);
    assert.throws(() => deedsOf('Do it.'), /nothing is to be done/);
    const planted = readPage(
      'docs/planted.md',
      '## One\n\n1. Choose **A**.\n2. Set **B** to `c`.\n\n## Two\n',
    );
    assert.deepEqual(
      stepsOf(planted).map(({ heading, items }) => [heading, items.length]),
      [
        ['One', 2],
        ['Two', 0],
      ],
    );
  });
});
