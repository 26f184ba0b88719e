/** The schemas that a `json` or `yaml` block can name. */
import type { z } from 'zod';
import { agentsFile } from '../../src/contract/conversations/agents-file.ts';
import { agent, createAgent, updateAgent } from '../../src/contract/conversations/agents.ts';
import { messageCompleted, messageError } from '../../src/contract/conversations/callback.ts';
import { conversationWaiting, sessionDown, timelocked } from '../../src/contract/whatsapp/channel-alert.ts';
import { identityProviders } from '../../src/contract/accounts/identity-providers.ts';
import { acknowledgement, chatAnswer, chatRequest } from '../../src/contract/conversations/chat.ts';
import { delivery, message } from '../../src/contract/conversations/conversations.ts';
import { errorBody } from '../../src/contract/errors.ts';
import { externalAgentAnswer, externalAgentRequest } from '../../src/contract/models/external-agent.ts';
import { startRehearsal } from '../../src/contract/rehearsals/rehearsals.ts';

export const namedSchemas = new Map<string, z.ZodType>([
  ['Acknowledgement', acknowledgement.strict()],
  ['Agent', agent.strict()],
  ['AgentsFile', agentsFile],
  ['ChatAnswer', chatAnswer.strict()],
  ['ChatRequest', chatRequest],
  ['CreateAgent', createAgent],
  ['Delivery', delivery.strict()],
  ['ErrorBody', errorBody.strict()],
  ['ExternalAgentAnswer', externalAgentAnswer],
  ['ExternalAgentRequest', externalAgentRequest],
  ['Message', message],
  ['IdentityProviders', identityProviders],
  ['MessageCompleted', messageCompleted.strict()],
  ['MessageError', messageError.strict()],
  ['StartRehearsal', startRehearsal],
  ['ConversationWaiting', conversationWaiting.strict()],
  ['SessionDown', sessionDown.strict()],
  ['Timelocked', timelocked.strict()],
  ['UpdateAgent', updateAgent],
]);
