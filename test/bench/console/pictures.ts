/**
 * `npm run console:pictures [-- PART …]`: fills an installation and takes each page of the console whose path contains
 * a part, light and dark, 1440 and 390 px wide, into dist/pictures. The parts `light`, `dark`, `1440` and `390` take only
 * these. LOCALES=pt-BR,es takes them in these languages, each into a folder of its own. With STAY=1 it takes them again
 * at each line of its standard input, which names the parts, with the files of dist/console as they are then.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { ensureConsole } from '../../../src/local/console-build.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { backing, stopBacking } from '../../support/backing.ts';
import { findChromium } from '../../support/browser/chromium.ts';
import { openShop, type Shop } from './shop.ts';

const pictures = join(projectRoot, 'dist/pictures');
const locales = process.env['LOCALES']?.split(',') ?? ['en-US'];
const built = join(projectRoot, 'dist/console');
const types: Record<string, string> = {
  ...{ '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html', '.svg': 'image/svg+xml' },
  ...{ '.woff2': 'font/woff2' },
};

/** Name and path of each page. */
function pages({ ids }: Shop): [name: string, path: string][] {
  const own = `/agents/${ids.agent}`;
  return [
    ['overview', '/'],
    ['agents', '/agents'],
    ['agent', own],
    ['playground', `${own}/playground`],
    ['versions', `${own}/versions`],
    ['rehearsals', `${own}/rehearsals`],
    ['rehearsal', `${own}/rehearsals/${ids.rehearsal}`],
    ['channel', `/agents/${ids.onWhatsApp}/channel`],
    ['channel-none', `${own}/channel`],
    ['conversations', '/conversations'],
    ['conversation', `/conversations/${ids.order}`],
    ['conversation-approval', `/conversations/${ids.waiting}`],
    ['approvals', '/approvals'],
    ['deliveries', '/deliveries'],
    ['delivery', `/deliveries/${ids.delivery}`],
    ['tools', '/admin/tools'],
    ['tools-action', '/admin/tools?tool=DOCS_FETCH_COMMENTS'],
    ['tools-connected', '/admin/tools?tab=connected'],
    ['tools-http', '/admin/tools?tab=http'],
    ['tools-mcp', '/admin/tools?tab=mcp'],
    ['models', '/models'],
    ['developers', '/developers'],
    ['tokens', '/settings/api'],
    ['webhooks', '/webhooks'],
    ['requests', '/requests'],
    ['request-open', `/requests/${ids.request}`],
    ['members', '/members'],
    ['roles', '/roles'],
    ['audit', '/audit'],
    ['data', '/data'],
    ['data-limits', '/data?tab=limits'],
    ['data-keeping', '/data?tab=keeping'],
    ['account', '/account'],
    ['not-found', '/nowhere'],
  ];
}

/** Serves the built files as they are now, instead of as they were when the API started. */
async function serveBuild(context: BrowserContext, origin: string): Promise<void> {
  await context.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== 'GET' || /^\/(?:console\/api|v1|docs|reference)/.test(pathname)) {
      await route.fallback();
      return;
    }
    const file = extname(pathname) === '' ? '/index.html' : pathname;
    const path = join(built, file);
    if (!existsSync(path)) await route.fulfill({ status: 404 });
    else await route.fulfill({ body: readFileSync(path), contentType: types[extname(file)] ?? 'text/plain' });
  });
}

async function take(browser: Browser, shop: Shop, parts: string[]): Promise<void> {
  for (const locale of locales) await takeIn(locale, browser, shop, parts);
}

async function takeIn(locale: string, browser: Browser, shop: Shop, words: string[]): Promise<void> {
  const named = <T extends string>(all: readonly T[]) =>
    all.some((one) => words.includes(one)) ? all.filter((one) => words.includes(one)) : all;
  const schemes = named(['light', 'dark']);
  const widths = named(['1440', '390']);
  const parts = words.filter((word) => ![...schemes, ...widths].some((one) => one === word));
  const { origin } = new URL(shop.stack.apiUrl);
  const folder = locales.length === 1 && locale === 'en-US' ? pictures : join(pictures, locale);
  mkdirSync(folder, { recursive: true });
  const wanted = (name: string) => parts.length === 0 || parts.some((part) => name.includes(part));
  for (const width of widths.map(Number)) {
    const context = await browser.newContext({
      viewport: { width, height: width === 390 ? 844 : 900 },
      reducedMotion: 'reduce',
      locale,
    });
    await serveBuild(context, origin);
    const page = await context.newPage();
    const shoot = async (name: string) => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        // The page scrolls in itself: it is as high as what it holds.
        const size = page.viewportSize() ?? { width, height: 900 };
        const height = await page.evaluate<number>('document.documentElement.scrollHeight');
        await page.setViewportSize({ width, height: Math.min(Math.max(height, size.height), 2600) });
        await page.waitForTimeout(150);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
        await page.setViewportSize(size);
      }
    };
    if (wanted('sign-in')) {
      await page.goto(`${origin}/`);
      await page.locator('button[type=submit]').waitFor();
      await shoot('sign-in');
    }
    const signIn = await context.request.post(`${origin}/console/api/sign-in`, { data: shop.administrator });
    if (signIn.status() !== 204) throw new Error(`no sign-in: ${signIn.status()}`);
    for (const [name, path] of pages(shop)) {
      if (!wanted(name)) continue;
      await page.goto(`${origin}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page
        .getByRole('status', { name: /^(?:Loading|Carregando|Cargando)$/ })
        .first()
        .waitFor({ state: 'detached' });
      await page.waitForTimeout(400);
      await shoot(name);
    }
    if (wanted('playground-tried')) {
      await page.goto(`${origin}/agents/${shop.ids.refunds}/playground`);
      await page
        .locator('.composer textarea:not([aria-hidden])')
        .fill('The pot arrived broken. Please refund order 4711.');
      await page.keyboard.press('Enter');
      await page.getByText('Done: your refund is on its way.').waitFor();
      await page.waitForTimeout(400);
      await shoot('playground-tried');
    }
    // Otherwise, the next pictures would list this session.
    await context.request.post(`${origin}/console/api/sign-out`);
    await context.close();
  }
}

const { folder: log } = await backing();
await ensureConsole({ log: join(log, 'console-build.log'), say: () => undefined });
const shop = await openShop();
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
try {
  console.log(JSON.stringify({ api: shop.stack.apiUrl, ids: shop.ids, as: shop.administrator }));
  await take(browser, shop, process.argv.slice(2));
  console.log(`taken into ${pictures}`);
  if (process.env['STAY'] === '1')
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'end') break;
      await take(browser, shop, line.split(' ').filter(Boolean)).catch((error: unknown) => {
        console.log(String(error));
      });
      console.log('taken again');
    }
} finally {
  await browser.close();
  await shop.stop();
  await stopBacking();
}
// Otherwise, Node 24.21 sometimes spins for ever while it closes its handles.
process.exit(0);
