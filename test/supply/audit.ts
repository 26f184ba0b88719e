/** Asks npm and the registry about the locked packages: vulnerabilities, signatures. */
import { z } from 'zod';
import { runNpm } from './run-npm.ts';

export type Audit =
  { outcome: 'clean' } | { outcome: 'found'; what: string } | { outcome: 'no answer'; why: string };

const report = z.looseObject({
  metadata: z.looseObject({ vulnerabilities: z.record(z.string(), z.number()) }),
});

/**
 * Reads what `npm audit --json` printed. Anything but a report is no answer: many registries and mirrors have no audit.
 */
export function readAudit(printed: string): Audit {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    return { outcome: 'no answer', why: 'npm printed no report' };
  }
  const parsed = report.safeParse(value);
  if (!parsed.success) {
    const { message } = z.looseObject({ message: z.string().default('no report') }).parse(value);
    return { outcome: 'no answer', why: message.replace(/ - .*/, '') };
  }
  const { total = 0, ...levels } = parsed.data.metadata.vulnerabilities;
  if (total === 0) return { outcome: 'clean' };
  const counts = Object.entries(levels).filter(([, count]) => count > 0);
  return { outcome: 'found', what: counts.map(([level, count]) => `${count} ${level}`).join(', ') };
}

/** Asks the registry for known vulnerabilities of the locked packages. */
export async function auditPackages(): Promise<Audit> {
  const { stdout } = await runNpm(['audit', '--json', '--package-lock-only', '--audit-level=none']);
  return readAudit(stdout);
}

/** Compares the registry's signatures of the installed packages, with keys that npm fetches. */
export async function auditSignatures(): Promise<Audit> {
  const { code, stdout, stderr } = await runNpm(['audit', 'signatures']);
  const said = `${stdout}\n${stderr}`;
  if (code === 0) return { outcome: 'clean' };
  const wrong = /.*(?:invalid|missing) registry signature.*/i.exec(said)?.[0];
  if (wrong !== undefined) return { outcome: 'found', what: wrong };
  const why = (/reason: (.*)/.exec(said) ?? /npm error (.*)/.exec(said))?.[1] ?? 'npm gave no reason';
  return { outcome: 'no answer', why: why.replace(/https?:\/\/\S+/g, '').trim() };
}
