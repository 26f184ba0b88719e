/** The actions of a row or a panel that are in its menu. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../until.ts';
import { focused, opened, press } from './keyboard.ts';

/** Opens the menu in the row, and chooses an action. */
export async function chooseAction(row: Locator, label: string): Promise<void> {
  await row.getByRole('button', { name: /^More actions for / }).click();
  await row.page().getByRole('menuitem', { name: label, exact: true }).click();
}

/** Chooses an action by keyboard. @param name the name of the row's object */
export async function pressAction(page: Page, name: string, label: string): Promise<void> {
  await press(page, `More actions for ${name}`);
  await opened(page, 'menu');
  await chooseFocused(page, label);
}

/** Chooses an action of the open menu that has the focus, by arrow keys. */
export async function chooseFocused(page: Page, label: string): Promise<void> {
  await until(`the focus to be on ${label}`, async () => {
    if ((await focused(page)).endsWith(label)) return true;
    await page.keyboard.press('ArrowDown');
    return false;
  });
  await page.keyboard.press('Enter');
}
