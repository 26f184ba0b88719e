/** Exports all workflows that the worker registers. */
export { channel } from './whatsapp/channel.ts';
export { conversation } from './conversations/conversation.ts';
export { rehearsal } from './rehearsals/rehearsal.ts';
export { recovery as sweep } from './upkeep/recovery.ts';
export { watch } from './whatsapp/watch.ts';
export { toolAction } from './workspace/tool-action.ts';
