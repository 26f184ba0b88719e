/** Using a page without a mouse. */
import type { Page } from 'playwright-core';
import { until } from '../until.ts';

const maxMs = 120_000;

/** Name of the control that has the focus: its label or its text. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const at = document.activeElement;
    // What stands on a page is not the page's name.
    const own = at?.matches('main, body') ? '' : at?.textContent;
    const label = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? own ?? '';
    return (at?.tagName ?? '') + ' ' + label;
  })()`);
}

/** The next control with that name, as somebody without a mouse reaches it: once it is there. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (const end = Date.now() + maxMs; Date.now() < end;) {
    if ((await focused(page)).trim().endsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}, but to ${await focused(page)}`);
}

export type Role = Parameters<Page['getByRole']>[0];

/** Controls of a page are fewer, and so are the steps that somebody without a mouse takes willingly. Chosen. */
const maxTabs = 60;

/**
 * Tabs to the control with this role and name, once it is there.
 * @throws Error that lists what Tab led to instead
 */
export async function reach(page: Page, role: Role, name: string): Promise<void> {
  const control = page.getByRole(role, { name, exact: true });
  const reached = control.and(page.locator(':focus'));
  await control.first().waitFor({ state: 'attached' });
  const seen: string[] = [];
  for (let tabs = 0; tabs <= maxTabs; tabs += 1) {
    if ((await reached.count()) > 0) return;
    seen.push(await focused(page));
    await page.keyboard.press('Tab');
  }
  throw new Error(`${maxTabs} times Tab do not lead to ${role} ${name}, but to:\n${seen.join('\n')}`);
}

/** Tabs to a control and presses Enter on it. */
export async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Tabs to a field and types into it. */
export async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}

/**
 * A dialog or a menu is open once the focus is in it: keys that are pressed before go where it was, to a button of the
 * same name perhaps.
 */
export async function opened(page: Page, role: 'dialog' | 'menu' = 'dialog'): Promise<void> {
  await until(`the focus to be in the ${role}`, () =>
    page.evaluate<boolean>(
      `document.querySelector('[role=${role}]')?.contains(document.activeElement) === true`,
    ),
  );
}
