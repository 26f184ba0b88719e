/** Applies the appearance that the user has chosen in the console; without a choice, the system's. */

/** The key under which Mantine stores the choice: `light`, `dark` or `auto`. */
const key = 'mantine-color-scheme-value';

/** @returns the chosen appearance; undefined if the page follows the system */
export function chosenAppearance(): 'light' | 'dark' | undefined {
  const chosen = localStorage.getItem(key);
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined;
}

export function applyAppearance(): void {
  const chosen = chosenAppearance();
  if (chosen !== undefined) document.documentElement.dataset['appearance'] = chosen;
}
