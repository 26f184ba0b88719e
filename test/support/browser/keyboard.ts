/** Using a page without a mouse. */
import type { Page } from 'playwright-core';

const mostSteps = 80;

/** Name of the control that has the focus: what it is called, or what stands on it. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const at = document.activeElement;
    // What stands on a page is not the page's name.
    const own = at?.matches('main, body') ? '' : at?.textContent;
    const label = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? own ?? '';
    return (at?.tagName ?? '') + ' ' + label;
  })()`);
}

/** The next control with that name, as somebody without a mouse reaches it. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if ((await focused(page)).trim().endsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}, but to ${await focused(page)}`);
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
