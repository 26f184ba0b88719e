/** Every operation in one view. */
import type { Endpoint } from '../endpoint.ts';
import { bindInbox } from './bind-inbox.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent } from './delete-agent.ts';
import { deleteConversation } from './delete-conversation.ts';
import { getAgent } from './get-agent.ts';
import { getConversation } from './get-conversation.ts';
import { listAgents } from './list-agents.ts';
import { listConversations } from './list-conversations.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listMessages } from './list-messages.ts';
import { postChat } from './post-chat.ts';
import { updateAgent } from './update-agent.ts';

export const endpoints: readonly Endpoint[] = [
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  bindInbox,
  postChat,
  listConversations,
  getConversation,
  deleteConversation,
  listMessages,
  listDeliveries,
];
