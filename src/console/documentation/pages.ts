/** Runs in the browser on a page of the documentation: adds its menu button, its copy buttons and the search. */
import './pages.css';
import { documentationTexts as t } from '../messages/documentation.ts';
import { applyAppearance } from './appearance.ts';
import { copiedText } from './copied-text.ts';
import { startSearch } from './search.ts';

const copiedMs = 2000;

applyAppearance();
addMenuButton();
for (const block of document.querySelectorAll<HTMLElement>('.code')) addCopyButton(block);
startSearch();

/** Hides the menu on narrow screens until its button is pressed. Without this script, the menu stays open. */
function addMenuButton(): void {
  const menu = document.getElementById('menu');
  const header = document.querySelector('.top');
  if (menu === null || header === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'menu-button';
  button.textContent = t.menu;
  button.setAttribute('aria-controls', menu.id);
  const show = (isOpen: boolean) => {
    menu.classList.toggle('closed', !isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
  };
  show(false);
  button.addEventListener('click', () => show(menu.classList.contains('closed')));
  header.querySelector('.brand')?.after(button);
}

function addCopyButton(block: HTMLElement): void {
  const code = block.querySelector('code');
  if (code === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = t.copy;
  const status = document.createElement('span');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  const say = (text: string) => {
    button.textContent = text;
    status.textContent = text;
    setTimeout(() => {
      button.textContent = t.copy;
      status.textContent = '';
    }, copiedMs);
  };
  button.addEventListener('click', () => {
    void copy(copiedText(code.textContent, block.dataset['language'] ?? '')).then(
      () => say(t.copied),
      () => {
        // There is no clipboard outside https and localhost, and a browser may refuse it. Selects the text instead, so
        // that the user can copy it.
        getSelection()?.selectAllChildren(code);
        say(t.notCopied);
      },
    );
  });
  block.append(button, status);
}

/** @throws Error if the browser has no clipboard here, or refuses */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
