/**
 * Starts the console. Loads the texts of the user's language before the application, because the modules of the
 * application read their texts when they load.
 */
import '@fontsource-variable/inter/wght.css';
import './first-styles.ts';
import './styles/console.css';
import { language, type Language } from './language.ts';
import { setTexts, type Texts } from './messages.ts';

const translations: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>> = {
  'pt-BR': async () => (await import('./messages/pt-BR/index.ts')).texts,
  es: async () => (await import('./messages/es/index.ts')).texts,
};

/**
 * Refuses a file that is dropped where nothing takes files. By default, the browser would show it instead of the
 * console, and what is written but not sent would be lost.
 */
function refuseDrop(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

async function start(): Promise<void> {
  document.documentElement.lang = language;
  if (language !== 'en') setTexts(await translations[language]());
  for (const type of ['dragover', 'drop'] as const) addEventListener(type, refuseDrop);
  await import('./main.tsx');
}

void start();
