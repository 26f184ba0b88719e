/** `npm run operators:screenshots [-- NAME …]`: makes each incident happen on the real product, walks to it through
 *  Temporal's UI as an operator would, and keeps what the screen shows for docs/operators.md. */
import { mkdirSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { projectRoot } from '../../src/local/project-root.ts';
import { backing, stopBacking } from '../support/backing.ts';
import { startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { Stage, warmSettings } from '../workflows/stories/stage.ts';
import { incidents, type Incident } from './incidents.ts';

const folder = join(projectRoot, 'docs/images/operators');
const largestBytes = 150_000;
/** From the namespace's front page. */
const mostClicks = 3;

async function walk(page: Page, front: string, workflowId: string, incident: Incident): Promise<number> {
  await page.goto(front);
  await page.getByRole('link', { name: workflowId }).first().click();
  let clicks = 1;
  await page.getByTestId('timeline-tab').first().waitFor();
  for (const what of incident.clicks) {
    const button = page
      .getByTestId(what)
      .or(page.getByRole('button', { name: what }))
      .or(page.getByRole('menuitem', { name: what }));
    await button.filter({ visible: true }).first().click();
    clicks += 1;
  }
  await until(`${incident.name} to be told on the screen`, async () => {
    // Markdown is shown in frames of its own.
    const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
    return incident.shows.every((expected) => expected.test(texts.join('\n')));
  });
  return clicks;
}

async function picture(browser: Browser, stage: Stage, ui: string, incident: Incident): Promise<void> {
  const workflowId = await incident.happen(stage);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: 'UTC' });
  try {
    const clicks = await walk(page, ui, workflowId, incident);
    const path = join(folder, `${incident.name}.png`);
    await page.screenshot({
      ...{ path, animations: 'disabled' },
      // Hides the name of the machine that takes the picture.
      mask: [page.getByText(hostname(), { exact: true })],
      maskColor: '#f8f8f8',
    });
    const { size } = statSync(path);
    process.stdout.write(`${incident.name}: ${clicks} clicks, ${size} bytes\n`);
    if (clicks > mostClicks) throw new Error(`${incident.name} takes ${clicks} clicks`);
    if (size > largestBytes) throw new Error(`${path} has ${size} bytes`);
  } catch (error) {
    await page.screenshot({ path: join(tmpdir(), `${incident.name}-not-shown.png`) });
    throw error;
  } finally {
    await page.close();
  }
}

mkdirSync(folder, { recursive: true });
const names = process.argv.slice(2);
const { temporalUiUrl } = await backing();
const stack = await startStack({ env: warmSettings });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
let failed = 0;
try {
  const stage = new Stage(stack);
  const front = `${temporalUiUrl}/namespaces/${stack.temporal.namespace}/workflows`;
  for (const incident of incidents.filter(({ name }) => names.length === 0 || names.includes(name))) {
    await picture(browser, stage, front, incident).catch((error: unknown) => {
      failed += 1;
      process.stdout.write(`${incident.name}: ${String(error)}\n`);
    });
    await stage.afterwards();
  }
} finally {
  await browser.close();
  await stack.stop();
  await stopBacking();
}
process.exit(failed === 0 ? 0 : 1);
