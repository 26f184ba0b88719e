/** What the worker registers. */
export { conversation } from './conversation.ts';
export { sweep } from './sweep.ts';
