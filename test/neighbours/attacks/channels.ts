/** WhatsApp contacts of A. */
import { setTimeout as delay } from 'node:timers/promises';
import { startGatewayEmulator, type GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import type { Attack, Attacker } from '../attack.ts';

const emulators = new WeakMap<Attacker, GatewayEmulator>();
const contact = '5534990000001';

/** An agent of A whose channel is connected to a gateway in this process. */
async function connectChannel(attacker: Attacker, ...replies: readonly string[]): Promise<void> {
  const emulator = await startGatewayEmulator();
  emulators.set(attacker, emulator);
  const { api } = attacker;
  // Each to the message that ends with its number; the last one to any other.
  const script = replies.map((reply, number) => ({
    reply,
    ...(number < replies.length - 1 && { when: ` ${number}$` }),
  }));
  const { id } = await api.createAgent({ model: 'scripted/default', script });
  const form = { base_url: emulator.url, instance_token: emulator.instanceToken };
  for (const [method, path, body] of [
    ['PUT', '', form],
    ['POST', '/webhook', undefined],
    ['POST', '/verify', undefined],
  ] as const) {
    const { status } = await api.call(
      method,
      `/agents/${id}/channel${path}`,
      body === undefined ? {} : { body },
    );
    if (status !== 200) throw new Error(`${method} channel${path}: ${status}`);
  }
}

function emulatorOf(attacker: Attacker): GatewayEmulator {
  const emulator = emulators.get(attacker);
  if (emulator === undefined) throw new Error('no channel is connected');
  return emulator;
}

async function write(attacker: Attacker, text: string): Promise<void> {
  const { answers } = await emulatorOf(attacker).deliverInbound({ from: contact, text });
  for (const { status } of answers) attacker.count(status);
}

const noLimits = `alter table channels alter contact_messages_per_minute set default null,
  alter channel_messages_per_minute set default null, alter contact_answers_per_day set default null,
  alter loop_rounds set default null`;
const fast = { GATEWAY_PACE: 'none', GATEWAY_SENDS_PER_MINUTE: 'off' };

const answersOfA = async (
  pool: { query: (sql: string, values: unknown[]) => Promise<{ rows: unknown[] }> },
  id: string,
) => {
  const sql = "select id from runs where organization_id = $1 and state = 'answered' limit 1000";
  return (await pool.query(sql, [id])).rows.length;
};

const chars = 30_000;
/** Answers that are slow to convert for WhatsApp if the conversion is not linear. */
const hostile = [
  `# a${' '.repeat(chars)}b`,
  '*'.repeat(chars),
  '_'.repeat(chars),
  '**a '.repeat(chars / 4),
  '[a]('.repeat(chars / 4),
];

export const channels: readonly Attack[] = [
  {
    name: 'whatsapp-text',
    what: "A's agent answers a WhatsApp contact with texts of 30,000 characters, made to be slow to read, 2 a second",
    env: fast,
    prepare: (attacker) => connectChannel(attacker, ...hostile),
    run: async (attacker) => {
      await attacker.repeat(2, 10, (number) => write(attacker, `text ${number % hostile.length}`));
    },
    plant: {
      edits: [
        [
          'src/domain/whatsapp/marks.ts',
          'const heading = headingOf(line);',
          'const heading = /^ {0,3}#{1,6}[ \\t]+(.*?)[ \\t]*#*[ \\t]*$/.exec(line)?.[1];\n  void headingOf;',
        ],
      ],
    },
  },
  {
    name: 'contact-flood',
    what: 'a WhatsApp contact of A writes 15 messages a second',
    env: fast,
    prepare: (attacker) => connectChannel(attacker, 'an answer'),
    run: async (attacker) => {
      await attacker.repeat(15, 15, (number) => write(attacker, `message ${number}`));
    },
    // Each of the first thirty of a minute, and one for the rest of it.
    check: async ({ db, a }) => {
      const answers = await answersOfA(db.pool, a.organizationId);
      return answers <= 62 ? [] : [`the contact had ${answers} answers in a minute`];
    },
    plant: { sql: noLimits },
  },
  {
    name: 'two-bots',
    what: "A's agent and a contact who is a bot answer each other at once",
    env: fast,
    prepare: (attacker) => connectChannel(attacker, 'and what else?'),
    run: async (attacker) => {
      const { sent } = emulatorOf(attacker);
      await write(attacker, 'hello');
      for (let heard = 0; !attacker.isOver;) {
        if (heard === sent.length) await delay(20);
        else await write(attacker, `and then, after ${(heard += 1)}?`);
      }
    },
    check: async ({ db, a }) => {
      const answers = await answersOfA(db.pool, a.organizationId);
      return answers <= 14 ? [] : [`the loop went on for ${answers} answers`];
    },
    plant: { sql: noLimits, seconds: 15 },
  },
];
