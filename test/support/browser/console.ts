/** The console of the shared stack, and people who may use it. */
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import { ensureConsole } from '../../../src/local/console-build.ts';
import { backing, beforeBackingStops } from '../backing.ts';
import { makePerson, type Person } from '../console-person.ts';
import { useSharedStack, type Stack } from '../stack.ts';
import { findChromium } from './chromium.ts';
import { Visitor, type VisitorOptions } from './visitor.ts';

export type Console = Stack & {
  origin: string;
  /** @param capabilities of a role made for them; without it they are an administrator */
  person: (capabilities?: readonly Capability[]) => Promise<Person>;
  /** An administrator of another organization. */
  personOf: (organizationId: string) => Promise<Person>;
  /** A browser without a session. */
  visit: (options?: VisitorOptions) => Promise<Visitor>;
  /** Signed in, as an administrator if nobody is given. */
  signedIn: (options?: VisitorOptions & { as?: Person }) => Promise<Visitor>;
};

/** Leads to the stack too, without what browsers grant to https and localhost alone, such as the clipboard. */
export const plainHost = 'console.test';

let browser: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  browser ??= chromium
    .launch({
      executablePath: findChromium(),
      args: [
        ...['--no-sandbox', '--disable-dev-shm-usage'],
        `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
      ],
    })
    .then((started) => {
      beforeBackingStops(() => started.close());
      return started;
    });
  return await browser;
}

/**
 * For a `describe`: each try of each test has an organization of its own, so that a second one finds nothing of the
 * first. After it every browser that was opened is closed, and none may have complained.
 * @param provideStack the stack that serves it; the shared one without
 */
export function useConsole(provideStack: () => () => Stack = useSharedStack): () => Console {
  const visitors: Visitor[] = [];
  let origin = '';
  before(async () => {
    const { folder } = await backing();
    await ensureConsole({ log: join(folder, 'console-build.log'), say: () => undefined });
    await sharedBrowser();
  });
  const stack = provideStack();
  let own: Awaited<ReturnType<Stack['stranger']>> | undefined;
  const mine = (): Stack => ({ ...stack(), ...own });
  before(() => {
    origin = new URL(stack().apiUrl).origin;
  });
  beforeEach(async () => {
    own = await stack().stranger();
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });
  const visit = async (options: VisitorOptions = {}) => {
    const screenshots = options.screenshots ?? process.env['SCREENSHOTS'];
    const at = new URL(origin);
    if (options.host !== undefined) at.hostname = options.host;
    const visitor = await Visitor.arrive(await sharedBrowser(), at.origin, { ...options, screenshots });
    visitors.push(visitor);
    return visitor;
  };
  const person = async (capabilities?: readonly Capability[]) => await makePerson(mine(), capabilities);
  return () => ({
    ...mine(),
    origin,
    person,
    personOf: async (organizationId) => await makePerson({ ...stack(), organizationId }, undefined),
    visit,
    signedIn: async ({ as, ...options } = {}) => {
      const visitor = await visit(options);
      const answer = await visitor.context.request.post(`${origin}/console/api/sign-in`, {
        data: as ?? (await person()),
      });
      if (answer.status() !== 204) throw new Error(`no sign-in: ${answer.status()}`);
      return visitor;
    },
  });
}
