/** Loaded before a worker: puts the activities of a shape in the place of the product's. */
import { registerHooks } from 'node:module';

const shaped = new URL('activities.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const isProducts = found.url.endsWith('/activities/index.ts') && context.parentURL !== shaped;
    return isProducts ? { ...found, url: shaped } : found;
  },
});
