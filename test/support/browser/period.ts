/** The menu "Period" of the pages with a log. */
import type { Page } from 'playwright-core';

const menu = (page: Page) => page.getByRole('combobox', { name: 'Period' });

export async function choosePeriod(page: Page, label: string): Promise<void> {
  await menu(page).click();
  await page.getByRole('option', { name: label, exact: true }).click();
}

/** Opens the menu and closes it again. @returns what it offers */
export async function periodsOf(page: Page): Promise<string[]> {
  await menu(page).click();
  await page.getByRole('option').first().waitFor();
  const labels = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  return labels;
}

/** @returns the day `ago` days before today in the time zone of this process, which is also that of the browser */
export function dayBefore(ago: number): string {
  const date = new Date();
  date.setDate(date.getDate() - ago);
  return [
    date.getFullYear(),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-');
}
