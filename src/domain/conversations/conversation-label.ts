/** The search attribute that lets an operator find conversations out of the ordinary; unset on all others. */
export const conversationStateAttribute = 'ConversationState';

/** `needs_attention`: its last run failed, until one succeeds. `transferred`: another agent has it now. `closed`:
 *  an operator closed it. */
export type ConversationLabel = 'needs_attention' | 'transferred' | 'closed';
