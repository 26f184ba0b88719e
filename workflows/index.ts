/** What the worker registers. */
export { channel } from './channel.ts';
export { conversation } from './conversation.ts';
export { sweep } from './sweep.ts';
export { watch } from './watch.ts';
export { toolAction } from './tool-action.ts';
