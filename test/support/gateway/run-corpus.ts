/**
 * Runs every event of a folder through the classification and compares with the folder's EXPECTED.json
 * (`npm run corpus:gateway -- DIR`). Prints counts and each mismatch; ends with 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { sendOutcomeOf } from '../../../src/adapters/whatsapp/gateway-outcomes.ts';
import { gatewayEvent } from '../../../src/contract/whatsapp/gateway-event.ts';
import { classifyGatewayEvent } from '../../../src/domain/whatsapp/classify-event.ts';
import type { ClassifiedEvent } from '../../../src/domain/whatsapp/classify-event.ts';

const expectation = z.object({
  decision: z.enum(['accept', 'edit', 'ignore']),
  kind: z.string().optional(),
  reason: z.string().optional(),
  replyId: z.string().optional(),
  text: z.string().optional(),
  count: z.number().optional(),
  voiceNote: z.boolean().optional(),
  gif: z.boolean().optional(),
});
type Expectation = z.infer<typeof expectation>;
const expectedFile = z.object({ cases: z.record(z.string(), expectation) });

/** Answers of the gateway to a send, with HTTP 500: what must be read out of them. */
const answersToSends: Record<string, string> = { 'synthetic/error_463_timelock.json': 'timelocked' };

function decided(one: ClassifiedEvent): Expectation {
  switch (one.kind) {
    case 'message':
      return {
        decision: 'accept',
        kind: one.form,
        text: one.text,
        ...(one.replyId === null ? {} : { replyId: one.replyId }),
        voiceNote: one.media?.voiceNote ?? false,
        gif: one.media?.gif ?? false,
      };
    case 'edit':
      return { decision: 'edit', kind: one.form };
    case 'takeover':
      return { decision: 'ignore', reason: 'from_me' };
    case 'ignored':
      return { decision: 'ignore', reason: one.reason };
  }
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder: npm run corpus:gateway -- DIR');
const { cases } = expectedFile.parse(JSON.parse(readFileSync(join(folder, 'EXPECTED.json'), 'utf8')));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json') && file !== 'EXPECTED.json')
  .sort();

const counts = new Map<string, number>();
const mismatches: string[] = [];
for (const file of files) {
  const expected = cases[relative(folder, join(folder, file))];
  const outcome = answersToSends[file];
  if (outcome !== undefined) {
    const body: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const read = sendOutcomeOf({ kind: 'json', status: 500, body, retryAfterMs: null });
    counts.set(`answer ${read.outcome}`, 1);
    if (read.outcome !== outcome) mismatches.push(`${file}: expected ${outcome}, got ${read.outcome}`);
    continue;
  }
  if (expected === undefined) {
    counts.set('without an expectation', (counts.get('without an expectation') ?? 0) + 1);
    process.stdout.write(`no expectation: ${file}\n`);
    continue;
  }
  const event = gatewayEvent.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const results = classifyGatewayEvent(event, { receivedAtMs: Date.now() }).map(decided);
  const label = `${results[0]!.decision} ${results[0]!.kind ?? results[0]!.reason ?? ''}`;
  counts.set(label, (counts.get(label) ?? 0) + 1);
  const { count = 1, ...fields } = expected;
  const fits =
    results.length === count &&
    results.every((result) =>
      Object.entries(fields).every(([name, value]) => result[name as keyof Expectation] === value),
    );
  if (!fits) mismatches.push(`${file}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(results)}`);
}
for (const name of Object.keys(cases)) {
  if (!files.includes(name)) mismatches.push(`${name}: expected, and not in the folder`);
}
for (const [label, count] of [...counts].sort())
  process.stdout.write(`${String(count).padStart(4)}  ${label}\n`);
process.stdout.write(`${files.length} files, ${mismatches.length} mismatches\n`);
for (const mismatch of mismatches) process.stdout.write(`${mismatch}\n`);
process.exitCode = mismatches.length === 0 ? 0 : 1;
