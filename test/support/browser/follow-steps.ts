/** Follows the numbered instructions of a page of docs in a browser, by the text of the page alone. */
import assert from 'node:assert/strict';
import type { ElementHandle, Locator, Page as BrowserPage } from 'playwright-core';
import type { Block, Page } from '../../docs/pages.ts';
import { until } from '../until.ts';

export interface Step {
  heading: string;
  /** The items of its numbered list. */
  items: string[];
  blocks: Block[];
}

/** The sections of a page, in order. */
export function stepsOf({ prose, blocks }: Page): Step[] {
  const steps: Step[] = [];
  for (const line of prose.split('\n')) {
    const heading = /^## (.*)$/.exec(line)?.[1];
    if (heading !== undefined)
      steps.push({ heading, items: [], blocks: blocks.filter((block) => block.heading === heading) });
    const item = /^\d+\. (.*)$/.exec(line)?.[1];
    if (item !== undefined) steps.at(-1)?.items.push(item);
  }
  return steps;
}

/** Contents of a page's blocks with the comment `<!-- test: file NAME -->`, by name. */
export const filesOf = ({ blocks }: Page): Map<string, string> =>
  new Map(
    blocks.flatMap(({ directive, text }): [string, string][] =>
      directive?.startsWith('file ') === true ? [[directive.slice('file '.length), text]] : [],
    ),
  );

/** An action of a reader: presses a control, sets a field, or reads a text. */
export type Deed =
  | { kind: 'choose'; label: string; isFirst?: true }
  | { kind: 'set'; label: string; value: string }
  | { kind: 'read'; text: string };

/**
 * **Label** is chosen, unless a `value` follows it, to which it is set; “text” is read. Of several controls with the
 * same label, only “first **Label**” names one.
 * @throws AssertionError for a value without a label, and for an item that has nothing to do
 */
export function deedsOf(item: string): Deed[] {
  const deeds: Deed[] = [];
  let isSet = true;
  for (const [, first, label, value, text] of item.matchAll(/(first )?\*\*(.+?)\*\*|`([^`]+)`|“([^”]+)”/g)) {
    const last = deeds.at(-1);
    if (label !== undefined)
      deeds.push({ kind: 'choose', label, ...(first !== undefined && { isFirst: true }) });
    else if (text !== undefined) deeds.push({ kind: 'read', text });
    else if (value !== undefined) {
      assert.ok(!isSet && last?.kind === 'choose', `no label is set to \`${value}\`: ${item}`);
      deeds.splice(-1, 1, { kind: 'set', label: last.label, value });
    }
    isSet = label === undefined;
  }
  assert.notEqual(deeds.length, 0, `nothing is to be done: ${item}`);
  return deeds;
}

const controls = ['button', 'link', 'tab', 'switch', 'checkbox'] as const;
const fields = ['textbox', 'combobox'] as const;

export class Follower {
  clicks = 0;
  settings = 0;
  readonly #page: BrowserPage;
  readonly #files: ReadonlyMap<string, string>;
  readonly #shoot: (name: string) => Promise<void>;
  readonly #maxMs: number;

  /**
   * @param shoot takes a picture before each click, if pictures are wanted
   * @param maxMs a label that is not there fails the test after this time; the default is that of `until`
   */
  constructor(
    page: BrowserPage,
    files: ReadonlyMap<string, string>,
    shoot: (name: string) => Promise<void>,
    maxMs = 120_000,
  ) {
    this.#page = page;
    this.#files = files;
    this.#shoot = shoot;
    this.#maxMs = maxMs;
  }

  async follow(deed: Deed): Promise<void> {
    if (deed.kind === 'choose') await this.#choose(deed.label, deed.isFirst);
    else if (deed.kind === 'set') await this.#set(deed.label, this.#files.get(deed.value) ?? deed.value);
    else await this.#read(deed.text);
  }

  async #choose(label: string, isFirst = false): Promise<void> {
    const control = await this.#find(label, controls, isFirst);
    await this.#shoot(label);
    const element = await control.elementHandle();
    const ends = (await element.getAttribute('type')) === 'submit' && (await isInDialog(element));
    await element.click();
    this.clicks += 1;
    // A dialog that is sent stays until the answer has come; the next label is not one of its fields.
    if (ends) await element.waitForElementState('hidden');
    // A dialog that it opens is drawn before the next label is looked for.
    await this.#page.evaluate(
      'new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))',
    );
  }

  async #set(label: string, value: string): Promise<void> {
    const field = await this.#find(label, fields);
    this.settings += 1;
    if (!(await isChoice(field))) {
      await field.fill(value);
      return;
    }
    await field.click();
    await this.#page.getByRole('option', { name: value, exact: true }).click({ timeout: this.#maxMs });
    this.clicks += 2;
    // A list of which several can be chosen stays open, over what is below it.
    if ((await field.getAttribute('aria-expanded')) === 'true') await field.press('Escape');
  }

  async #read(text: string): Promise<void> {
    const shown = this.#page.getByText(new RegExp(literally(text))).filter({ visible: true });
    await until(`“${text}” to be shown`, async () => (await shown.count()) > 0, this.#maxMs);
  }

  /**
   * The only control of this name: in the dialog, if one is open. A button may have a longer name for screen readers.
   */
  async #find(
    label: string,
    roles: readonly ((typeof controls)[number] | (typeof fields)[number])[],
    isFirst = false,
  ) {
    let count = 0;
    return await until(
      () => `one ${roles.join(' or ')} named ${label}, but there are ${count}`,
      async () => {
        const dialog = this.#page.getByRole('dialog').filter({ visible: true }).last();
        const place = (await dialog.count()) > 0 ? dialog : this.#page;
        const named = roles.map((role) => place.getByRole(role, { name: label, exact: true }));
        const texts = new RegExp(`^${literally(label)}$`);
        const shown = roles.map((role) => place.getByRole(role).filter({ hasText: texts }));
        for (const found of [named, shown]) {
          const [first, ...others] = found;
          const all = others.reduce((sum, one) => sum.or(one), first ?? assert.fail());
          count = await all.count();
          if (count === 1 || (isFirst && count > 1)) return all.first();
          if (count > 1) return undefined;
        }
        return undefined;
      },
      this.#maxMs,
    );
  }
}

const isInDialog = async (element: ElementHandle): Promise<boolean> =>
  (await element.$('xpath=ancestor::*[@role="dialog"]')) !== null;

const isChoice = async (field: Locator): Promise<boolean> =>
  (await field.getAttribute('aria-haspopup')) === 'listbox';

/** An expression that matches this text alone, capitals included. */
const literally = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
