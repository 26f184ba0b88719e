/**
 * Handles the keyboard shortcuts of the inbox. j and k focus the next and the previous conversation of the list, and
 * open it if a conversation is open. The arrow keys move the focus within the list, Enter on the open conversation moves
 * it to the messages, / focuses the search, r focuses the reply, and e marks the open conversation as done. The shortcuts
 * work while the focus is in the inbox, except in fields, dialogs and menus.
 */
import type { KeyboardEvent } from 'react';

const fields = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

export function inboxKeys(
  event: KeyboardEvent<HTMLElement>,
  {
    rows,
    opened,
    open,
  }: { rows: readonly { id: string }[]; opened: string | undefined; open: (id: string) => void },
): void {
  const { key, target, currentTarget: inbox } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof Element) || target.closest(fields) !== null) return;
  const linkOf = (id: string) => inbox.querySelector<HTMLElement>(`[data-conversation="${id}"]`);
  const focused = target.closest('[data-conversation]')?.getAttribute('data-conversation') ?? undefined;
  const step = (by: 1 | -1, from: string | undefined): string | undefined => {
    const at = rows.findIndex(({ id }) => id === from);
    return rows[at === -1 ? 0 : at + by]?.id;
  };
  if (key === 'j' || key === 'k') {
    const next = step(key === 'j' ? 1 : -1, opened ?? focused);
    if (next === undefined) return;
    linkOf(next)?.focus();
    if (opened !== undefined) open(next);
  } else if ((key === 'ArrowDown' || key === 'ArrowUp') && focused !== undefined) {
    const next = step(key === 'ArrowDown' ? 1 : -1, focused);
    if (next !== undefined) linkOf(next)?.focus();
  } else if (key === 'Enter' && focused !== undefined && focused === opened)
    inbox.querySelector<HTMLElement>('.timeline')?.focus();
  else if (key === '/') inbox.querySelector<HTMLElement>('input[data-search]')?.focus();
  else if (key === 'r') inbox.querySelector<HTMLElement>('.composer textarea')?.focus();
  else if (key === 'e') inbox.querySelector<HTMLElement>('[data-done]')?.click();
  else return;
  event.preventDefault();
}
