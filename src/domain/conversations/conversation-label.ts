/** The value of the search attribute ConversationState. `needs_attention`: its last run failed, until one succeeds. `transferred`: another agent has it now. `closed`:
 *  an operator closed it. */
export type ConversationLabel = 'needs_attention' | 'transferred' | 'closed';
