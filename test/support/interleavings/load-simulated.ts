/** Loads workflows and activities a second time, with the SDK's imports replaced, and, if wanted, with a bug. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as activities from '../../../activities/index.ts';
import type * as workflows from '../../../workflows/conversations/conversation.ts';

/** A bug: in this file these words instead of those. */
export interface Plant {
  file: string;
  find: string;
  put: string;
}

export interface Simulated {
  conversation: typeof workflows.conversation;
  createActivities: typeof activities.createActivities;
}

const mark = '?simulated';
const plants = new Map<string, Plant>();
const standIn = new URL('./sdk-stand-in.ts', import.meta.url).href;
const root = new URL('../../../', import.meta.url).href;
let hooked = false;

export async function loadSimulated(plant?: Plant): Promise<Simulated> {
  if (!hooked) hook();
  const query = plant ? `${mark}&plant=${plants.size}` : mark;
  if (plant) plants.set(query, plant);
  const { conversation } = (await import(
    `${root}workflows/conversations/conversation.ts${query}`
  )) as typeof workflows;
  const { createActivities } = (await import(`${root}activities/index.ts${query}`)) as typeof activities;
  return { conversation, createActivities };
}

/** @throws Error if the text to replace does not occur there exactly once, so that a plant cannot become ineffective */
export function applyPlant(source: string, { file, find, put }: Plant): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file}: found ${parts.length - 1} times: ${find}`);
  return parts.join(put);
}

function hook(): void {
  hooked = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const query = /\?simulated.*$/.exec(context.parentURL ?? '')?.[0];
      if (query === undefined) return next(specifier, context);
      if (/^@temporalio\/(workflow|activity)$/.test(specifier)) return next(standIn, context);
      const found = next(specifier, context);
      return /^(workflows|activities|src\/(app|worker))\//.test(found.url.replace(root, ''))
        ? { ...found, url: found.url + query }
        : found;
    },
    load: (url, context, next) => {
      const plant = plants.get(/\?simulated.*$/.exec(url)?.[0] ?? '');
      const path = url.replace(/\?.*$/, '');
      if (plant === undefined || path !== root + plant.file) return next(url, context);
      const source = applyPlant(readFileSync(fileURLToPath(path), 'utf8'), plant);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
