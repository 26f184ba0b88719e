export { answer, Parley, type Acknowledgement, type CallOptions, type ChatAnswer } from './parley.ts';
export type { ChatMessage, Message, ParleyOptions, ParleyApi } from './parley.ts';
export { callbackKey, readCallback, verifyCallback } from './callbacks.ts';
export type { AlertPayload, CallbackPayload, MessageCompleted, MessageError } from './callbacks.ts';
export type { RequestHeaders, VerifiedCallback } from './callbacks.ts';
export { ParleyError } from './parley-error.ts';
export type { StreamEvent } from './chat-stream.ts';
export type { components, operations, paths, webhooks } from './api.ts';
