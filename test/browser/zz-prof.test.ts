import { readdirSync, readFileSync } from 'node:fs';
import { useConsole } from '../support/browser/console.ts';
function cpu() {
  const out: Record<string, number> = {};
  const rows = new Map<number, { pp: number; ms: number; cmd: string }>();
  for (const n of readdirSync('/proc')) {
    if (!/^\d+$/.test(n)) continue;
    try {
      const f = readFileSync(`/proc/${n}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      const cmd = readFileSync(`/proc/${n}/cmdline`, 'utf8').replaceAll('\0', ' ');
      rows.set(Number(n), { pp: Number(f[1]), ms: (Number(f[11]) + Number(f[12])) * 10, cmd });
    } catch {}
  }
  const ours = (p: number): boolean => p === process.pid || (rows.has(p) && ours(rows.get(p)!.pp));
  for (const [p, { ms, cmd }] of rows) {
    if (!ours(p)) continue;
    const k = /type=renderer/.test(cmd) ? 'renderer' : /type=gpu/.test(cmd) ? 'gpu' : /type=util/.test(cmd) ? 'util' : /chrom/.test(cmd) ? 'browser' : /main-api/.test(cmd) ? 'api' : /main-worker/.test(cmd) ? 'worker' : /start-dev/.test(cmd) ? 'temporal' : /postgres/.test(cmd) ? 'pg' : p === process.pid ? 'mocha' : 'other';
    out[k] = (out[k] ?? 0) + ms;
  }
  return out;
}
let last: Record<string, number> = {};
function step(name: string) {
  const now = cpu();
  console.log(name.padEnd(24), Object.entries(now).map(([k, v]) => [k, v - (last[k] ?? 0)] as const).filter(([, v]) => v > 20).map(([k, v]) => `${k} ${v}`).join('  '));
  last = now;
}
describe('prof', function () {
  this.timeout(300_000);
  const shared = useConsole();
  for (const round of [1, 2, 3])
    it(`round ${round}`, async () => {
      const { api, visit, person, origin } = shared();
      await api.createAgent({ name: 'Billing' });
      step('begin');
      const p = await person();
      step('person');
      const visitor = await visit();
      step('visit');
      await visitor.context.request.post(`${origin}/console/api/sign-in`, { data: p });
      step('signin');
      const { page } = visitor;
      await visitor.open('/agents');
      await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor();
      step('open agents');
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor();
      step('reload');
      await visitor.look('agents');
      step('look');
      await visitor.look('agents');
      step('look again');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'dark' });
      step('resize');
      await page.evaluate('axe.run({ resultTypes: ["violations"] })');
      step('axe');
      await page.evaluate('axe.run({ resultTypes: ["violations"], rules: {"color-contrast": {enabled:false}} })');
      step('axe no contrast');
      await page.evaluate('axe.run({ runOnly: ["color-contrast"], resultTypes: ["violations"]})');
      step('axe contrast only');
      await page.evaluate('axe.run({ resultTypes: ["violations"], preload: false })');
      step('axe no preload');
      await page.getByRole('button', { name: 'New agent' }).click().catch(() => undefined);
      step('click');
    });
});
