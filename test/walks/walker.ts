/** A person's way through the console: each click and field is counted, each screen is a numbered picture. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';

/** What a person does on a way, beside waiting. */
export type Effort = {
  /** Clicks and taps in the console, also those that put the cursor into a field. */
  clicks: number;
  /** Fields that are filled. */
  fields: number;
  /** Texts that are copied from elsewhere, such as the password that `npm start` prints. */
  copies: number;
  /** Keys that are pressed, also those of copying and pasting. */
  keys: number;
  /** Screens that are read. */
  screens: number;
};

/**
 * Seconds of the operators of the keystroke-level model (Card, Moran and Newell, 1980): a key of an average typist, a
 * pointing movement, a click, a hand moved between mouse and keyboard, a mental preparation. The model is of a
 * practised person and has no reading; `read`, the time for a screen that is new, is chosen.
 */
const pace = { key: 0.28, point: 1.1, click: 0.2, home: 0.4, think: 1.35, read: 5 } as const;

/**
 * Returns the estimated seconds of a person without the waits for the product:
 * clicks × (think + point + click) + fields × (think + home) + copies × (think + 2 × (point + click)) + keys × key +
 * screens × read.
 */
export function personSeconds({ clicks, fields, copies, keys, screens }: Effort): number {
  const press = pace.point + pace.click;
  return (
    clicks * (pace.think + press) +
    fields * (pace.think + pace.home) +
    copies * (pace.think + 2 * press) +
    keys * pace.key +
    screens * pace.read
  );
}

export class Walker {
  readonly page: Page;
  readonly effort: Effort = { clicks: 0, fields: 0, copies: 0, keys: 0, screens: 0 };
  /** Waits that are not part of the way, reported beside it. */
  readonly apart: { what: string; seconds: number }[] = [];
  readonly #folder: string;
  readonly #begun = performance.now();
  #pictureMs = 0;

  /** @param folder for the pictures; made if it is missing */
  constructor(page: Page, folder: string) {
    this.page = page;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Seconds since the first screen, without taking pictures and without what is apart. */
  get seconds(): number {
    const whole = (performance.now() - this.#begun - this.#pictureMs) / 1000;
    return this.apart.reduce((rest, { seconds }) => rest - seconds, whole);
  }

  /**
   * Waits until the screen shows something, takes its picture, and counts it as read.
   * @throws if it is on the page, but not within 10 s on the screen without scrolling, or covered
   */
  async see(name: string, shown: Locator): Promise<void> {
    await shown.first().waitFor();
    await this.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await until(`${name} to be on the screen`, () => this.#isOnScreen(shown.first()), 10_000);
    this.effort.screens += 1;
    await this.picture(name);
  }

  /** Whether the middle of an element is on the screen, with nothing else over it: compares texts. */
  async #isOnScreen(element: Locator): Promise<boolean> {
    const [box, text] = [await element.boundingBox(), await element.textContent()];
    if (box === null || text === null) return false;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const top = await this.page.evaluate<string | null | undefined>(
      `document.elementFromPoint(${x}, ${y})?.textContent`,
    );
    return typeof top === 'string' && (top.includes(text) || text.includes(top));
  }

  /** Takes the next numbered picture of the screen as it is. */
  async picture(name: string): Promise<void> {
    const from = performance.now();
    const number = String((this.#pictures += 1)).padStart(2, '0');
    await this.page.screenshot({ path: join(this.#folder, `${number}-${name}.png`) });
    this.#pictureMs += performance.now() - from;
  }
  #pictures = 0;

  async click(control: Locator): Promise<void> {
    await control.click();
    this.effort.clicks += 1;
  }

  /** Fills a field key by key; clicks it first unless it has the cursor. */
  async type(field: Locator, text: string): Promise<void> {
    await this.#fill(field, text);
    this.effort.keys += text.length;
  }

  /** Fills a field with a text that is copied from elsewhere; clicks it first unless it has the cursor. */
  async paste(field: Locator, text: string): Promise<void> {
    await this.#fill(field, text);
    this.copy();
  }

  /** Counts a text that is copied and pasted. */
  copy(): void {
    this.effort.copies += 1;
    this.effort.keys += 4;
  }

  async #fill(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    if ((await field.and(this.page.locator(':focus')).count()) === 0) await this.click(field);
    await field.fill(text);
    this.effort.fields += 1;
  }

  /** Presses a key where the cursor is. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.effort.keys += 1;
  }

  /** Clicks the button with this name. */
  async button(name: string): Promise<void> {
    await this.click(this.page.getByRole('button', { name, exact: true }).filter({ visible: true }).first());
  }

  /** Clicks the link with this name. */
  async link(name: string): Promise<void> {
    await this.click(this.page.getByRole('link', { name, exact: true }).filter({ visible: true }).first());
  }

  /** Opens a list and clicks an option. */
  async choose(list: Locator, option: string): Promise<void> {
    await this.click(list);
    await this.click(this.page.getByRole('option', { name: option, exact: true }));
  }
}
