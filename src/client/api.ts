// Written by `npm run client:generate` from the OpenAPI document. Do not change it by hand.
export interface paths {
  '/agents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List agents
     * @description The agents of your organization, the oldest first.
     */
    get: operations['listAgents'];
    put?: never;
    /**
     * Create an agent with its API inbox
     * @description Only name is required. Without a model, the agent uses the configured default. scripted/default needs no provider: it answers from the script of the agent.
     */
    post: operations['createAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an agent
     * @description Includes the default of every setting that is not set.
     */
    get: operations['getAgent'];
    put?: never;
    post?: never;
    /**
     * Delete an agent
     * @description Its conversations stay readable, and messages that were already accepted are still answered.
     */
    delete: operations['deleteAgent'];
    options?: never;
    head?: never;
    /**
     * Change an agent
     * @description Absent fields stay as they are. Null resets an optional setting to its default. With `If-Match`, nothing changes if someone else has changed the agent since.
     */
    patch: operations['updateAgent'];
    trace?: never;
  };
  '/inboxes/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Bind an API inbox to another agent
     * @description That agent answers new conversations of the inbox.
     */
    patch: operations['bindInbox'];
    trace?: never;
  };
  '/agents/{id}/channel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an agent's WhatsApp channel
     * @description Its state and the next set-up steps. An agent without a channel has the state not_connected.
     */
    get: operations['getChannel'];
    /**
     * Validate and continue: connect a gateway instance
     * @description Asks the gateway for its status with these values. If that succeeds, stores them and returns the webhook's URL and set-up steps. A failed call changes nothing.
     */
    put: operations['connectChannel'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Edit a connected channel
     * @description New credentials are checked at the gateway first; if that fails, the previous ones stay. A changed base_url needs the token again. The webhook URL does not change.
     */
    patch: operations['editChannel'];
    trace?: never;
  };
  '/agents/{id}/channel/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * I've configured the webhook, and Check again
     * @description Sets the state to connected if the session at the gateway is connected. Otherwise also returns 200: the state stays awaiting_webhook, and last_error gives the reason.
     */
    post: operations['verifyChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check a connected channel now
     * @description Asks the gateway for its session and webhook. The state stays connected; last_error says why messages do not arrive, and is absent if they do. Parley runs the same check once a minute.
     */
    post: operations['checkChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/move': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move a number to this agent
     * @description The other agents in shared_with become inactive, and their pending replies are blocked. The gateway is not called: its session continues for this agent. Set the gateway's webhook to this channel's URL as well.
     */
    post: operations['moveChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/disconnect': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Disconnect a channel
     * @description The channel always becomes inactive; if the gateway refuses, last_error gives its reason. The gateway instance itself remains.
     */
    post: operations['disconnectChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/webhook': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare the webhook at the gateway with what it must be
     * @description Asks the gateway and changes nothing.
     */
    get: operations['checkWebhook'];
    put?: never;
    /**
     * Set the webhook at the gateway
     * @description Carries out the set-up steps through the gateway's own interface, then checks the result.
     */
    post: operations['setWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the gateway delivered, and why some of it was ignored; newest first
     * @description One row for each message, however often the gateway delivered it. The texts are in the conversations.
     */
    get: operations['listChannelEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/chat/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message to an agent or an API inbox
     * @description Asynchronous: returns 202 once the message is durable. The answer is written to the history and, with webhook_url, posted there. Synchronous: returns the answer; with Accept: text/event-stream, streams its text as events, and the last event is the answer or the error. Resume a broken stream with GET /messages/{id}/stream. Closing the connection does not cancel the run.
     */
    post: operations['sendMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/messages/{id}/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Resume the stream of a message
     * @description Returns the events of a streamed call after the one that Last-Event-ID names, or from the beginning. Events are kept for ten minutes after the end of the run. After that, and for a message that was not sent with Accept: text/event-stream, only the last event is sent, once there is an answer. If Last-Event-ID is the id of the last event, returns 204, at which an EventSource stops.
     */
    get: operations['followMessage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List conversations, newest first
     * @description A filter that matches nothing in your organization returns an empty list.
     */
    get: operations['listConversations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations/{conversationId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a conversation
     * @description Its current agent and its contact. A separate operation lists its messages.
     */
    get: operations['getConversation'];
    put?: never;
    post?: never;
    /**
     * Erase a conversation: messages, attachments, deliveries and workflow history
     * @description 204: its texts are deleted, and no call finds it. Its workflow histories, which hold identifiers only, are deleted within a minute. The audit log records who erased it and when.
     */
    delete: operations['deleteConversation'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations/{conversationId}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel all unanswered messages
     * @description Ends the run in progress and every waiting message at once, with status `cancelled`, without an answer and without a callback. A synchronous call that waits for them gets 409 `cancelled`. What is already recorded stays: a message before a transfer with its callback, and what tools have done. The messages stay in the history, where the next answer can use them; new messages are answered as usual. Repeatable: with nothing to cancel, the list is empty.
     */
    post: operations['cancelRuns'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations/{conversationId}/regenerate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Regenerate the last answer
     * @description Starts a new run over the same messages, with the history before them, also if the last run failed or was cancelled. Its answer is a new message with a new message_id and its own callback to the webhook_url of the messages. The replaced message stays in the history as `replaced`; no model reads it again, and its callback is never sent again. The current agent of the conversation answers. Synchronous and streamed as in POST /chat/{id}. 409 `invalid_state` while a run is in progress or a message waits, if no message was sent yet, and for conversations of a channel.
     */
    post: operations['regenerateAnswer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/contacts/{contactId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Erase a contact: all of their conversations, and what the channels know of them
     * @description Erases all data of one end user in the organization: every conversation with this contact id, at every agent and inbox, and the channels' records of their phone number and LID. A person whom the channels know under several ids is erased under all of them. A later message starts a new contact.
     */
    delete: operations['deleteContact'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/contacts/{contactId}/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Everything of one contact, as JSON lines
     * @description Conversations of the contact with every agent and inbox, with all their data.
     */
    get: operations['exportContact'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations/{conversationId}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pause the agent for the contact of a channel conversation
     * @description Until the time is over or the conversation is resumed, messages are stored but not answered. A reply in progress stops before its next part.
     */
    post: operations['pauseConversation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations/{conversationId}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume the agent
     * @description The agent answers from the next message on; the messages sent during the pause are in its context.
     */
    post: operations['resumeConversation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/conversations/{conversationId}/messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the messages of a conversation
     * @description The messages with their states. Read it to find an answer whose callback was lost. A cursor stays valid while messages are added.
     */
    get: operations['listMessages'];
    put?: never;
    /**
     * Write to the contact of a channel conversation as a person
     * @description Stores the message in the history, sends it through the gateway after any reply in progress, and pauses the agent for the contact, as if someone had typed on the phone. The message's delivery shows whether it was sent.
     */
    post: operations['writeAsPerson'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List callbacks and what became of them, newest first
     * @description Each callback is attempted at most once. A failed, blocked or unknown callback is never sent again; read its message from the history.
     */
    get: operations['listDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/docs/actions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the document-workspace actions
     * @description All actions, each with the JSON schema of its input.
     */
    get: operations['listToolActions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/docs/actions/{action}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run one action in a connected workspace
     * @description Returns 200 also if the action failed: then `successful` is false and `error` gives the reason. A worker runs the action, which survives crashes. A call that waits too long gets 504 while the action continues; repeat it with the same Idempotency-Key to read the result.
     */
    post: operations['runToolAction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/docs/connections': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the connected workspaces
     * @description Without their keys and tokens, which no call returns.
     */
    get: operations['listToolConnections'];
    put?: never;
    /**
     * Connect a document workspace
     * @description A key is checked, then stored encrypted. OAUTH2 returns the address where a person must allow the connection within ten minutes. Connecting the same integration again replaces its credentials.
     */
    post: operations['connectTool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/docs/connections/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a connection
     * @description Without its keys and tokens. A pending OAUTH2 connection includes the address where a person must allow it.
     */
    get: operations['getToolConnection'];
    put?: never;
    post?: never;
    /**
     * Disconnect a workspace
     * @description Erases its tokens. An OAuth token is first revoked at the workspace.
     */
    delete: operations['deleteToolConnection'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/organization': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your organization and what it has set
     * @description The one that the token belongs to.
     */
    get: operations['getOrganization'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change how long your organization keeps its conversations
     * @description Fields that are absent stay as they are. A shorter retention begins to erase at once; what is erased cannot be brought back. In the console this takes the capability to manage data.
     */
    patch: operations['changeOrganization'];
    trace?: never;
  };
  '/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Everything that your organization has, as JSON lines
     * @description Agents, contacts and conversations with all their data; no secrets, people or audit log.
     */
    get: operations['exportOrganization'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Messages, runs and credits by day, the limits of this month, and storage
     * @description At a limit, POST /chat returns 402 until the month is over or the limit is raised; messages accepted before are answered. When storage is full, a call that carries a file gets 402, and a file given by URL is not fetched: the model reads that it is missing. Set limits in the console or on the command line.
     */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The document actions for an MCP client
     * @description A server of the Model Context Protocol: streamable HTTP without sessions, one JSON-RPC message a request. Its tools are the actions of GET /tools/docs/actions; where several workspaces are connected, `connection_id` among the arguments says which. Give a client this address and an API token as bearer token.
     */
    post: operations['callMcp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/docs/oauth/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where the workspace sends a person back to
     * @description The redirect address to register with the OAuth integration. `state` is the proof: it is used once, within ten minutes.
     */
    get: operations['returnFromSignIn'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'message.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An agent response is ready */
    post: operations['receiveMessageCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.error': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A run has failed for good */
    post: operations['receiveMessageError'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'channel.session_down': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** To alert_url: a channel's session is down for long */
    post: operations['receiveSessionDown'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'channel.timelocked': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** To alert_url: WhatsApp forbids the number to begin new chats */
    post: operations['receiveTimelocked'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /**
     * @description The body of every error
     * @example {
     *       "error": "There is no such resource.",
     *       "code": "not_found"
     *     }
     */
    ErrorBody: {
      /** @description A readable sentence */
      error: string;
      /** @description A stable word to program against: invalid_json, unauthorized, credit_limit_reached, message_limit_reached, storage_limit_reached, forbidden, not_found, method_not_allowed, idempotency_conflict, agent_inactive, conflict, version_conflict, cancelled, invalid_state, payload_too_large, unsupported_media_type, validation_failed, invalid_credentials, rate_limited, internal, agent_failed, gateway_unreachable, unavailable, sync_timeout. More may come */
      code: string;
      /** @description With validation_failed: each invalid field */
      details?: components['schemas']['ErrorDetail'][];
      /**
       * Format: uuid
       * @description On agent_failed, cancelled and sync_timeout: the conversation that holds the result
       */
      conversation_id?: string;
    };
    /** @description An invalid field */
    ErrorDetail: {
      /** @description Dotted path of the field, for instance attachments.0.url */
      path: string;
      /** @description What is wrong with it */
      message: string;
    };
    /** @description A page of a list */
    AgentList: {
      /** @description The rows of this page */
      data: components['schemas']['Agent'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description An agent, with its defaults filled in */
    Agent: {
      /**
       * Format: uuid
       * @description Identifier of the agent
       */
      id: string;
      /** @description Unique in the organization */
      name: string;
      /** @description For people, and for agents that may transfer to this one */
      description: string;
      /** @description What the agent is to do and how: its system prompt */
      instructions: string;
      /** @description provider/name of the model that it uses */
      model: string;
      /** @description Read by scripted/default only; the first match wins */
      script?: components['schemas']['ScriptRule'][];
      /** @description false: the agent takes no messages (409 agent_inactive) */
      active: boolean;
      /** @description Sliding grouping window in seconds; 0 answers each message on its own */
      grouping_window_seconds: number;
      /** @description Closes a group anyway; default five windows */
      grouping_max_seconds?: number;
      /** @description Closes a group anyway; default 20 */
      grouping_max_messages?: number;
      /**
       * @description What becomes of a message that arrives during a run. next_group (default): it is answered after it. cancel_and_merge: the model call under way is cancelled and both are answered together, at once and once, as one group; tools that have been called are not called again. A run that has said something already, as before a transfer, or holds grouping_max_messages, is not cancelled; nor is a synchronous one, or a follow-up. The tokens of a cancelled model call are not in credits_used.
       * @enum {string}
       */
      input_during_run: 'next_group' | 'cancel_and_merge';
      /** @description What it does while the user stays silent, one after the other; any message ends that */
      follow_ups: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to: string[];
      /** @description Action identifiers, for instance DOCS_FETCH_DATA */
      tools: string[];
      /** @description Nobody has chosen a model for it: `model` is the configured default, and changes with it */
      uses_default_model: boolean;
      /**
       * Format: uuid
       * @description The API inbox that is bound to this agent from the start
       */
      inbox_id: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      updated_at: string;
    };
    /** @description What scripted/default does where the rule matches */
    ScriptRule: {
      /**
       * @description What the rule answers; default message
       * @enum {string}
       */
      on?: 'message' | 'follow_up' | 'tool_result';
      /** @description Regular expression (RE2 syntax, linear time) over the input text; over its beginning if the expressions of the script are large. At most 1,000 instructions when compiled, 5,000 in all of a script: a{500} has 500 */
      when?: string;
      /** @description $1… are filled in from the match */
      reply?: string;
      /** @description Name of the destination agent */
      transfer_to?: string;
      /** @description Calls this tool; the model is asked again with its result */
      tool?: components['schemas']['ScriptRuleTool'];
      /** @description Time before the answer, in milliseconds; with word_ms a minute at most */
      delay_ms?: number;
      /** @description Time before each word of the reply, in milliseconds */
      word_ms?: number;
      /** @description Fails the model call */
      fail?: components['schemas']['ScriptRuleFail'];
    };
    /** @description What the agent does after a silence */
    FollowUp: {
      /** @description Silence after the last agent message, in seconds */
      after_seconds: number;
      /** @description Instructions for the model in this follow-up */
      instructions: string;
    };
    /**
     * @description A new agent; only name is required
     * @example {
     *       "name": "Support",
     *       "instructions": "Answer in one sentence.",
     *       "grouping_window_seconds": 2
     *     }
     */
    CreateAgent: {
      /** @description Unique in the organization */
      name: string;
      /** @description For people, and for agents that may transfer to this one */
      description?: string;
      /** @description What the agent is to do and how: its system prompt */
      instructions?: string;
      /** @description provider/name; without one the agent follows the configured default, whatever it is then. Null: the default */
      model?: string | null;
      /** @description Read by scripted/default only; the first match wins. Null: the default */
      script?: components['schemas']['ScriptRule'][] | null;
      /** @description false: the agent takes no messages (409 agent_inactive) */
      active?: boolean;
      /** @description Sliding grouping window in seconds; 0 answers each message on its own */
      grouping_window_seconds?: number;
      /** @description Closes a group anyway; default five windows. Null: the default */
      grouping_max_seconds?: number | null;
      /** @description Closes a group anyway; default 20. Null: the default */
      grouping_max_messages?: number | null;
      /**
       * @description What becomes of a message that arrives during a run. next_group (default): it is answered after it. cancel_and_merge: the model call under way is cancelled and both are answered together, at once and once, as one group; tools that have been called are not called again. A run that has said something already, as before a transfer, or holds grouping_max_messages, is not cancelled; nor is a synchronous one, or a follow-up. The tokens of a cancelled model call are not in credits_used.
       * @enum {string}
       */
      input_during_run?: 'next_group' | 'cancel_and_merge';
      /** @description What it does while the user stays silent, one after the other; any message ends that */
      follow_ups?: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to?: string[];
      /** @description Action identifiers, for instance DOCS_FETCH_DATA */
      tools?: string[];
    };
    /**
     * @description What is to change; absent fields stay
     * @example {
     *       "active": false
     *     }
     */
    UpdateAgent: {
      /** @description Unique in the organization */
      name?: string;
      /** @description For people, and for agents that may transfer to this one */
      description?: string;
      /** @description What the agent is to do and how: its system prompt */
      instructions?: string;
      /** @description provider/name; without one the agent follows the configured default, whatever it is then. Null: the default */
      model?: string | null;
      /** @description Read by scripted/default only; the first match wins. Null: the default */
      script?: components['schemas']['ScriptRule'][] | null;
      /** @description false: the agent takes no messages (409 agent_inactive) */
      active?: boolean;
      /** @description Sliding grouping window in seconds; 0 answers each message on its own */
      grouping_window_seconds?: number;
      /** @description Closes a group anyway; default five windows. Null: the default */
      grouping_max_seconds?: number | null;
      /** @description Closes a group anyway; default 20. Null: the default */
      grouping_max_messages?: number | null;
      /**
       * @description What becomes of a message that arrives during a run. next_group (default): it is answered after it. cancel_and_merge: the model call under way is cancelled and both are answered together, at once and once, as one group; tools that have been called are not called again. A run that has said something already, as before a transfer, or holds grouping_max_messages, is not cancelled; nor is a synchronous one, or a follow-up. The tokens of a cancelled model call are not in credits_used.
       * @enum {string}
       */
      input_during_run?: 'next_group' | 'cancel_and_merge';
      /** @description What it does while the user stays silent, one after the other; any message ends that */
      follow_ups?: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to?: string[];
      /** @description Action identifiers, for instance DOCS_FETCH_DATA */
      tools?: string[];
    };
    /** @description The agent that an inbox is bound to */
    BindInbox: {
      /**
       * Format: uuid
       * @description The agent that is to answer
       */
      agent_id: string;
    };
    /** @description An address for messages that is bound to an agent */
    Inbox: {
      /**
       * Format: uuid
       * @description Identifier of the inbox
       */
      id: string;
      /**
       * Format: uuid
       * @description The agent that answers
       */
      agent_id: string;
    };
    /** @description An agent's WhatsApp channel */
    Channel: {
      /**
       * @description Messages pass while it is connected
       * @enum {string}
       */
      state: 'not_connected' | 'awaiting_webhook' | 'connected' | 'inactive';
      /** @description Address of the gateway instance */
      base_url?: string;
      /** @description What the gateway must post its events to: secret, fixed per agent */
      webhook_url?: string;
      /** @description Digits, with country code */
      connected_number?: string;
      /** @description How the webhook is set up at the gateway */
      setup?: components['schemas']['ChannelSetup'];
      /** @description What went wrong last; absent while all is well */
      last_error?: components['schemas']['ChannelLastError'];
      /** @description The WhatsApp session at the gateway */
      session?: components['schemas']['ChannelSession'];
      /** @description Other agents that are connected with the same number: messages reach only the one that the webhook leads to */
      shared_with?: components['schemas']['ChannelSharedWith'][];
      /**
       * Format: date-time
       * @description WhatsApp forbids the number to begin new chats before this (463)
       */
      timelocked_until?: string;
      /**
       * Format: date-time
       * @description When the gateway last delivered an event
       */
      last_inbound_at?: string;
      /** @description How long the agent keeps silent after a person wrote */
      pause_minutes?: number;
      /** @description Receives a POST when the session is down or the number is locked */
      alert_url?: string;
      /** @description Minutes that the session is down before Parley posts to alert_url */
      alert_after_minutes?: number;
      /** @description What a contact writes beyond it is answered together when the minute is over; null: no limit */
      contact_messages_per_minute?: number | null;
      /** @description The same, of all contacts together */
      channel_messages_per_minute?: number | null;
      /** @description Answers to a contact in a day (UTC); further messages are kept without an answer; null: no limit */
      contact_answers_per_day?: number | null;
      /** @description The same, to all contacts together */
      channel_answers_per_day?: number | null;
      /** @description The agent is paused for a contact that wrote so often in a row within loop_seconds of an answer: a bot; null: never */
      loop_rounds?: number | null;
      /** @description How soon after an answer a bot writes */
      loop_seconds?: number;
      /** @description The limits that acted within the last day; absent if none did */
      limited?: components['schemas']['ChannelLimited'][];
    };
    /** @description An agent that is connected with the same number */
    ChannelSharedWith: {
      /**
       * Format: uuid
       * @description The other agent
       */
      agent_id: string;
      /** @description Its name */
      agent_name: string;
    };
    /** @description A limit that acted */
    ChannelLimited: {
      /** @description Which one: contact_minute, channel_minute, contact_day, channel_day, loop */
      limit: string;
      /** @description How many messages it held back; at most 1,000 are counted */
      messages: number;
      /**
       * Format: date-time
       * @description When it acted last
       */
      last_at: string;
    };
    /** @description The gateway instance that the channel goes through */
    ConnectChannel: {
      /**
       * Format: uri
       * @description Address of the gateway instance: https, no path needed, a trailing slash is trimmed
       */
      base_url: string;
      /** @description Token generated in the gateway's own dashboard */
      instance_token: string;
    };
    /** @description What is to change; absent fields stay */
    EditChannel: {
      /**
       * Format: uri
       * @description Address of the gateway instance: https, no path needed, a trailing slash is trimmed
       */
      base_url?: string;
      /** @description Token generated in the gateway's own dashboard */
      instance_token?: string;
      /** @description How long the agent keeps silent towards a contact after a person wrote to them */
      pause_minutes?: number;
      /** @description Receives a POST when the session has been down for long, or WhatsApp forbids new chats (463) */
      alert_url?: string | null;
      /** @description Minutes that the session is down before Parley posts to alert_url */
      alert_after_minutes?: number;
      /** @description What a contact writes beyond it is answered together when the minute is over; null: no limit */
      contact_messages_per_minute?: number | null;
      /** @description The same, of all contacts together */
      channel_messages_per_minute?: number | null;
      /** @description Answers to a contact in a day (UTC); further messages are kept without an answer; null: no limit */
      contact_answers_per_day?: number | null;
      /** @description The same, to all contacts together */
      channel_answers_per_day?: number | null;
      /** @description The agent is paused for a contact that wrote so often in a row within loop_seconds of an answer: a bot; null: never */
      loop_rounds?: number | null;
      /** @description How soon after an answer a bot writes */
      loop_seconds?: number;
    };
    /** @description What is posted to alert_url */
    AlertPayload: components['schemas']['ChannelSessionDown'] | components['schemas']['ChannelTimelocked'];
    /** @description A channel's session is down for long, posted to alert_url */
    ChannelSessionDown: {
      /**
       * @description What has happened (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'channel.session_down';
      /**
       * Format: uuid
       * @description The agent whose channel it is
       */
      agent_id: string;
      /** @description The gateway's own word, as it was last seen */
      status: string;
      /** @description The reason, if the gateway gives one */
      reason?: string;
      /**
       * Format: date-time
       * @description When it was first seen to be down
       */
      down_since: string;
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description WhatsApp forbids the number to begin new chats, posted to alert_url */
    ChannelTimelocked: {
      /**
       * @description What has happened (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'channel.timelocked';
      /**
       * Format: uuid
       * @description The agent whose channel it is
       */
      agent_id: string;
      /** @description As the gateway said it */
      reason: string;
      /**
       * Format: date-time
       * @description WhatsApp lets the number begin no new chats before
       */
      until: string;
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description How the webhook is set up at the gateway */
    WebhookCheck: {
      /** @description The webhook at the gateway is as it must be */
      matches: boolean;
      /** @description Each setting at the gateway that is not as it must be */
      differences: components['schemas']['WebhookDifference'][];
    };
    /** @description A setting at the gateway that is not as it must be */
    WebhookDifference: {
      /** @description By its name at the gateway */
      setting: string;
      /** @description What it must be */
      expected: string;
      /** @description What it is */
      actual: string;
    };
    /** @description A page of a list */
    ChannelEventList: {
      /** @description The rows of this page */
      data: components['schemas']['ChannelEvent'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description A message that the gateway delivered, and what became of it */
    ChannelEvent: {
      /**
       * Format: uuid
       * @description Identifier of the event
       */
      id: string;
      /**
       * @description accepted: to be answered; stored: kept without an answer; edited: an earlier message was changed; takeover: a person wrote on the phone
       * @enum {string}
       */
      outcome: 'accepted' | 'stored' | 'edited' | 'takeover' | 'ignored';
      /** @description Why it was ignored, or stored without an answer, or which limit put its answer off */
      reason?: string;
      /** @description The message's id at WhatsApp */
      gateway_message_id?: string;
      /**
       * Format: uuid
       * @description The conversation that it was stored in
       */
      conversation_id?: string;
      /** @description How often the gateway delivered it again */
      repeats: number;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      received_at: string;
    };
    /**
     * @description A message for an agent
     * @example {
     *       "message": "Hello",
     *       "webhook_url": "https://example.com/hooks/3f9c",
     *       "metadata": {
     *         "order": 17
     *       }
     *     }
     */
    ChatRequest: {
      /** @description 1 to 32,000 characters; may be empty only with attachments */
      message?: string;
      /**
       * @description true: the answer comes back in this call
       * @default false
       */
      sync?: boolean;
      /**
       * Format: uri
       * @description Callback destination: an absolute http or https URL
       */
      webhook_url?: string;
      /** @description Free-form correlation data, as the caller gave it */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: uuid
       * @description Continues this conversation, which was begun with the same {id}; without it and without contact a new one begins
       */
      conversation_id?: string;
      /** @description The caller's own key for the end user: continues that contact's conversation */
      contact?: components['schemas']['ContactKey'];
      /** @description Files that go with the message, by address or content */
      attachments?: components['schemas']['Attachment'][];
    };
    /** @description Free-form correlation data, returned in the callback as it was written; at most 16 KiB as JSON and 10 levels */
    Metadata: {
      [key: string]: unknown;
    };
    /** @description The caller's own key for the end user */
    ContactKey: {
      /** @description Such as your user id */
      id: string;
      /** @description How people call them */
      name?: string;
    };
    /** @description A file, by its address or whole */
    Attachment: components['schemas']['AttachmentUrl'] | components['schemas']['AttachmentContent'];
    /** @description A file, given by its address */
    AttachmentUrl: {
      /**
       * Format: uri
       * @description Public https address, fetched by us
       */
      url: string;
      /** @description How the model and the history name it */
      filename?: string;
      /** @description Media type, such as image/png */
      content_type?: string;
    };
    /** @description A file, given whole */
    AttachmentContent: {
      /** @description The file itself, as base64 */
      content_base64: string;
      /** @description How the model and the history name it */
      filename?: string;
      /** @description Media type, such as image/png */
      content_type?: string;
    };
    /** @description The answer to a synchronous call */
    ChatAnswer: {
      /** @description Always true */
      success: boolean;
      /**
       * Format: uuid
       * @description The conversation that it is in
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description The agent that answered
       */
      agent_id: string;
      /**
       * Format: uuid
       * @description The answer's id in the history; absent where the response is empty
       */
      message_id?: string;
      /** @description The answer's text; after a transfer that of the last agent */
      response: string;
      /** @description The one that the provider says it used */
      model: string;
      /** @description What the run cost */
      credits_used: number;
      /** @description Files of the message that was answered */
      attachments_processed: number;
      /** @description Name of the agent that answered */
      responding_agent_name: string;
      /** @description Free-form correlation data, as the caller gave it */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the answer was assembled, ISO 8601 in UTC
       */
      timestamp: string;
      /** @description All messages of the run, in order; the fields above are those of the last one */
      messages: components['schemas']['AnswerMessage'][];
    };
    /** @description A message of the run */
    AnswerMessage: {
      /**
       * Format: uuid
       * @description The message's id in the history
       */
      message_id: string;
      /**
       * Format: uuid
       * @description The agent that wrote it
       */
      agent_id: string;
      /** @description Name of the agent that wrote it */
      responding_agent_name: string;
      /** @description The text of the message */
      response: string;
      /** @description Said before the conversation was handed over */
      pre_transfer?: boolean;
    };
    /** @description One event of a streamed call; event tells which */
    StreamEvent:
      | components['schemas']['StreamEventAccepted']
      | components['schemas']['StreamEventDelta']
      | components['schemas']['StreamEventRestart']
      | components['schemas']['StreamEventToolCall']
      | components['schemas']['StreamEventTransfer']
      | components['schemas']['StreamEventCompleted']
      | components['schemas']['StreamEventFailed'];
    /** @description The message is durable and will be answered */
    Acknowledgement: {
      /**
       * @description debounced: it waits with others for the agent's grouping window, and is answered with them
       * @enum {string}
       */
      status: 'processing' | 'debounced';
      /**
       * Format: uuid
       * @description The conversation that the message is in
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description Present only when status is debounced
       */
      group_id?: string;
    };
    /** @description What is posted to webhook_url */
    CallbackPayload: components['schemas']['MessageCompleted'] | components['schemas']['MessageError'];
    /** @description An answer of an agent, posted to webhook_url */
    MessageCompleted: {
      /**
       * @description What has happened (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'message.completed';
      /**
       * Format: uuid
       * @description The agent that wrote the message
       */
      agent_id: string;
      /** @description Always true */
      success: boolean;
      /**
       * Format: uuid
       * @description Where to read the message: GET /conversations/{conversationId}/messages
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description The agent message's id: the key to process a callback once. Absent where there is no message, as for an empty response
       */
      message_id?: string;
      /** @description The text of the message */
      response: string;
      /** @description The one that the provider says it used */
      model?: string;
      /** @description What the run cost */
      credits_used?: number;
      /** @description Files of the messages that were answered */
      attachments_processed?: number;
      /** @description Name of the agent that wrote the message */
      responding_agent_name: string;
      /** @description Free-form correlation data, as the caller gave it */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
      /** @description The first of two callbacks of a transfer; the next is of the agent that took over */
      pre_transfer?: boolean;
      /** @description The user was silent: nobody asked for this message */
      followup?: boolean;
      /** @description Number of the follow-up, from 1 */
      followup_attempt?: number;
    };
    /** @description A run has failed for good, posted to webhook_url */
    MessageError: {
      /**
       * @description What has happened (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'message.error';
      /**
       * Format: uuid
       * @description The agent whose run failed
       */
      agent_id: string;
      /**
       * Format: uuid
       * @description The conversation of the messages that have no answer
       */
      conversation_id: string;
      /** @description Why, readable */
      error: string;
      /** @description Free-form correlation data, as the caller gave it */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description A page of a list */
    ConversationList: {
      /** @description The rows of this page */
      data: components['schemas']['Conversation'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description What an end user and agents write to each other */
    Conversation: {
      /**
       * Format: uuid
       * @description Identifier of the conversation
       */
      id: string;
      /**
       * Format: uuid
       * @description The agent that answers now, after any transfer
       */
      agent_id: string;
      /**
       * Format: uuid
       * @description The agent or inbox identifier it was begun with
       */
      target_id: string;
      /**
       * @description The channel of its messages
       * @enum {string}
       */
      channel: 'api' | 'whatsapp';
      /** @description The end user */
      contact?: components['schemas']['ConversationContact'];
      /**
       * Format: uuid
       * @description The conversation in which the same contact writes now: their number and their LID turned out to be one person
       */
      continued_by?: string;
      /**
       * Format: date-time
       * @description A person has taken over: the agent does not answer before this
       */
      paused_until?: string;
      /**
       * @description Where the human agent took over; loop: the contact answered like another bot
       * @enum {string}
       */
      paused_by?: 'phone' | 'console' | 'api' | 'loop';
      /** @description The human agent, if the takeover was made in the console */
      paused_by_name?: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      updated_at: string;
    };
    /** @description What was cancelled */
    Cancelled: {
      /**
       * Format: uuid
       * @description The conversation
       */
      conversation_id: string;
      /** @description The messages that will not be answered, in their order */
      cancelled: string[];
    };
    /** @description How the new answer is awaited */
    RegenerateAnswer: {
      /**
       * @description true: the answer comes back in this call
       * @default false
       */
      sync?: boolean;
    };
    /** @description How long the agent does not answer */
    PauseConversation: {
      /** @description Default: the channel's pause_minutes */
      minutes?: number;
    };
    /** @description A page of a list */
    MessageList: {
      /** @description The rows of this page */
      data: components['schemas']['Message'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description A message of a conversation; role tells who wrote it */
    Message: components['schemas']['UserMessage'] | components['schemas']['AgentMessage'];
    /** @description A message of the end user */
    UserMessage: {
      /**
       * Format: uuid
       * @description Identifier of the message; of an agent's also the message_id of its callback
       */
      id: string;
      /**
       * Format: uuid
       * @description The conversation that it is in
       */
      conversation_id: string;
      /** @description What was written */
      text: string;
      /** @description Files that go with it */
      attachments: components['schemas']['MessageAttachment'][];
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * @description Who wrote it (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      role: 'user';
      /**
       * @description What has become of it
       * @enum {string}
       */
      status: 'queued' | 'processing' | 'answered' | 'failed' | 'cancelled';
      /**
       * @description Why the agent does not answer it: a person has taken over, it was a day old when it came, a limit of the channel
       * @enum {string}
       */
      unanswered?: 'paused' | 'stale' | 'contact_day' | 'channel_day' | 'loop';
      /**
       * Format: uuid
       * @description Messages with the same one are answered together
       */
      group_id?: string;
      /** @description Free-form correlation data, as the caller gave it */
      metadata?: components['schemas']['Metadata'];
    };
    /** @description A file of a message */
    MessageAttachment: {
      /**
       * Format: uuid
       * @description Identifier of the file
       */
      id: string;
      /** @description As it was given, or as its server named it */
      filename: string | null;
      /** @description Media type, such as image/png */
      content_type: string | null;
      /** @description Bytes; null while a URL has not been fetched */
      size: number | null;
      /**
       * Format: uri
       * @description Link to download the file without a token, valid for at least a day; absent if the file is not stored
       */
      url?: string;
    };
    /** @description A message of an agent, or of a person in its place */
    AgentMessage: {
      /**
       * Format: uuid
       * @description Identifier of the message; of an agent's also the message_id of its callback
       */
      id: string;
      /**
       * Format: uuid
       * @description The conversation that it is in
       */
      conversation_id: string;
      /** @description What was written */
      text: string;
      /** @description Files that go with it */
      attachments: components['schemas']['MessageAttachment'][];
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * @description Who wrote it (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      role: 'agent';
      /**
       * Format: uuid
       * @description The agent that wrote it
       */
      agent_id: string;
      /** @description Its name, as it was then */
      responding_agent_name: string;
      /** @description The one that the provider says it used */
      model?: string;
      /** @description What the run cost */
      credits_used?: number;
      /** @description The user messages that it answers */
      in_reply_to: string[];
      /** @description Said before the conversation was handed over */
      pre_transfer?: boolean;
      /** @description The user was silent: nobody asked for this message */
      followup?: boolean;
      /** @description Number of the follow-up, from 1 */
      followup_attempt?: number;
      /** @description Another answer was made in its place */
      replaced?: boolean;
      /** @description The model was cut off: it reached its limit of tokens, or a filter of its provider */
      truncated?: boolean;
      /** @description Written by a person, not by the agent */
      by_person?: boolean;
      /** @description Outcome of its callback or of its channel reply; absent if it has neither */
      delivery?: components['schemas']['AgentMessageDelivery'];
    };
    /** @description A person's message to the contact */
    WriteAsPerson: {
      /**
       * @description May be empty only with attachments
       * @default
       */
      text?: string;
      /**
       * @description Files that go with it
       * @default []
       */
      attachments?: components['schemas']['AttachmentContent'][];
      /** @description Default: the channel's pause_minutes */
      pause_minutes?: number;
    };
    /** @description A page of a list */
    DeliveryList: {
      /** @description The rows of this page */
      data: components['schemas']['Delivery'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description A callback or an alert, and what became of it; there is one attempt */
    Delivery: {
      /**
       * Format: uuid
       * @description Identifier of the delivery
       */
      id: string;
      /**
       * @description What it tells
       * @enum {string}
       */
      event: 'message.completed' | 'message.error' | 'channel.session_down' | 'channel.timelocked';
      /** @description The address that it is posted to */
      url: string;
      /**
       * @description pending: not begun; attempting: under way; delivered: answered with 2xx; failed: another answer, or none in time; blocked: the address may not be called; unknown: a process died meanwhile, so it may have arrived. It is never attempted again
       * @enum {string}
       */
      status: 'pending' | 'attempting' | 'delivered' | 'failed' | 'blocked' | 'unknown';
      /** @description Of the answer; absent where none came */
      http_status?: number;
      /** @description At most 5,000 characters */
      response_body?: string;
      /** @description Why it failed or was blocked; of a pending one, what it waits for */
      error?: string;
      /**
       * Format: uuid
       * @description Absent for a channel's alert
       */
      conversation_id?: string;
      /**
       * Format: uuid
       * @description Of a channel's alert: the agent whose channel it is
       */
      agent_id?: string;
      /**
       * Format: uuid
       * @description The message that it carries
       */
      message_id?: string;
      /**
       * Format: date-time
       * @description When its one attempt began
       */
      attempted_at?: string;
      /** @description From look-up to the last byte of the answer */
      duration_ms?: number;
    };
    /** @description A page of a list */
    ToolActionList: {
      /** @description The rows of this page */
      data: components['schemas']['ToolAction'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description An action that agents and callers can run in a workspace */
    ToolAction: {
      /** @description Identifier of the action */
      action: string;
      /** @description What it does, in a sentence */
      summary: string;
      /** @description JSON schema of its input */
      input_schema: {
        [key: string]: unknown;
      };
      /**
       * @description What it does to the workspace, which decides how it is retried
       * @enum {string}
       */
      effect: 'read' | 'idempotent_write' | 'create' | 'send_part' | 'generated_create' | 'multi_step';
      /** @description It works, and another is better */
      deprecated?: components['schemas']['ToolActionDeprecated'];
    };
    /**
     * @description What the action is to do
     * @example {
     *       "input": {
     *         "fetch_type": "pages"
     *       }
     *     }
     */
    RunToolAction: {
      /** @description The action's parameters; their schema is in GET /tools/docs/actions */
      input: components['schemas']['RunToolActionInput'];
      /**
       * Format: uuid
       * @description Which workspace; needed only where several are connected
       */
      connection_id?: string;
    };
    /** @description What came of an action */
    ToolActionResult: {
      /** @description Result of the action, as JSON text. */
      data: string;
      /** @description Error text when execution failed. */
      error?: string;
      /** @description Whether execution succeeded. */
      successful: boolean;
    };
    /** @description A page of a list */
    ToolConnectionList: {
      /** @description The rows of this page */
      data: components['schemas']['ToolConnection'][];
      /** @description Give it as cursor to read on; null on the last page */
      next_cursor: string | null;
    };
    /** @description A document workspace that actions run in */
    ToolConnection: {
      /**
       * Format: uuid
       * @description Identifier of the connection
       */
      id: string;
      /**
       * @description How it was connected
       * @enum {string}
       */
      auth: 'API_KEY' | 'OAUTH2';
      /**
       * @description needs_reconnect: the workspace refuses what is kept; connect it again. It is also looked at again by itself
       * @enum {string}
       */
      status: 'pending' | 'connected' | 'needs_reconnect';
      /** @description Null while it is not known */
      workspace_name: string | null;
      /** @description The workspace's own identifier; null while it is not known */
      workspace_id: string | null;
      /** @description What the workspace attributes the actions to: the integration, not a person */
      integration_name: string | null;
      /** @description What the workspace said last against it */
      last_error?: string;
      /** @description Said once, at the connection: what to do next */
      notice?: string;
      /**
       * Format: uri
       * @description OAUTH2 while pending: the address where a person must allow the connection
       */
      authorization_url?: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
    };
    /**
     * @description How the workspace is connected
     * @example {
     *       "auth": "API_KEY",
     *       "api_key": "ntn_…"
     *     }
     */
    ConnectTool: components['schemas']['ConnectToolByKey'] | components['schemas']['ConnectToolByConsent'];
    /** @description By an internal integration's token */
    ConnectToolByKey: {
      /**
       * @description By an internal integration's token (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      auth: 'API_KEY';
      /** @description The internal integration's token: begins with secret_ or ntn_. Kept encrypted */
      api_key: string;
    };
    /** @description By the consent of a person, in a browser */
    ConnectToolByConsent: {
      /**
       * @description By the consent of a person, in a browser (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      auth: 'OAUTH2';
    };
    /** @description The organization that the token belongs to */
    Organization: {
      /**
       * Format: uuid
       * @description Identifier of the organization
       */
      id: string;
      /** @description As people know it */
      name: string;
      /** @description Messages, attachments, tool calls and deliveries are erased so many days after their run has ended, and with the last of them the conversation and its contact. Null: they are kept */
      retention_days: number | null;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
    };
    /** @description What is to change; absent fields stay */
    ChangeOrganization: {
      /** @description Messages, attachments, tool calls and deliveries are erased so many days after their run has ended, and with the last of them the conversation and its contact. Null: they are kept */
      retention_days?: number | null;
    };
    /** @description What was used, and how much may be */
    Usage: {
      /** @description Of the organization */
      organization: components['schemas']['UsageAllowance'];
      /** @description Of the token that asks */
      token?: components['schemas']['UsageAllowance'];
      /** @description Of the organization */
      storage: components['schemas']['UsageStorage'];
      /**
       * Format: date-time
       * @description When the next month begins
       */
      resets_at: string;
      /** @description Oldest first, days without anything too. What was erased is counted on */
      days: components['schemas']['UsageDay'][];
    };
    /** @description What was used this month, and how much may be */
    UsageAllowance: {
      /** @description Credits that a calendar month (UTC) may cost. Null: no limit */
      limit: number | null;
      /** @description Credits of the runs that have ended this month */
      used: number;
      /** @description Messages that a calendar month (UTC) may bring. Null: no limit */
      message_limit: number | null;
      /** @description Messages of the runs that have ended this month */
      messages: number;
    };
    /** @description Bytes that the files of an organization use, and their limit */
    UsageStorage: {
      /** @description Of the files that are stored now */
      used_bytes: number;
      /** @description The most that may be stored. Null: no limit */
      limit_bytes: number | null;
      /** @description Whether the limit is that of the installation */
      limit_is_default: boolean;
    };
    /** @description One day */
    UsageDay: {
      /**
       * Format: date
       * @description In UTC
       */
      day: string;
      /** @description Messages from users; a regenerated answer counts its messages again */
      messages: number;
      /** @description That ended, also those that failed */
      runs: number;
      /** @description What they cost */
      credits: number;
    };
    /**
     * @description A JSON-RPC message of the Model Context Protocol
     * @example {
     *       "jsonrpc": "2.0",
     *       "method": "tools/call",
     *       "params": {
     *         "name": "DOCS_FETCH_DATA",
     *         "arguments": {
     *           "fetch_type": "pages"
     *         }
     *       }
     *     }
     */
    McpMessage: {
      /**
       * @description Version of JSON-RPC
       * @enum {string}
       */
      jsonrpc: '2.0';
      /** @description Without one no answer is given */
      id?: components['schemas']['McpMessageId'];
      /** @description Such as tools/list or tools/call */
      method: string;
      /** @description What the method takes */
      params?: components['schemas']['McpMessageParams'];
    } & {
      [key: string]: unknown;
    };
    /** @description A message that could not be taken */
    McpRefusal: {
      /**
       * @description Version of JSON-RPC
       * @enum {string}
       */
      jsonrpc: '2.0';
      /** @description Of the message, text or a number; null where it has none */
      id: unknown;
      /** @description Why */
      error: components['schemas']['McpRefusalError'];
    };
    /** @description There is more than one call can erase: it is noted, and done without further calls */
    DeleteConversationAnswer: {
      /**
       * @description It goes on without further calls
       * @enum {string}
       */
      status: 'erasing';
    };
    /** @description An error of the API, or a refusal of the protocol */
    CallMcpAnswer: components['schemas']['ErrorBody'] | components['schemas']['McpRefusal'];
    /** @description Calls this tool; the model is asked again with its result */
    ScriptRuleTool: {
      /** @description Such as DOCS_FETCH_DATA */
      action: string;
      /** @description The action's parameters */
      input: {
        [key: string]: unknown;
      };
    };
    /** @description Fails the model call */
    ScriptRuleFail: {
      /** @description What the failure says */
      message: string;
      /** @description true: tried 3 times in all, after 1 s and 2 s */
      retryable: boolean;
      /** @description Only the first so many calls of a conversation; default always */
      times?: number;
    };
    /** @description The gateway's seven webhook settings, by the names they have there */
    ChannelSetupSettings: {
      /** @description The agent's webhook URL */
      url: string;
      /**
       * @description How events are sent
       * @enum {string}
       */
      method: 'POST';
      /** @description Events are sent */
      enabled: boolean;
      /** @description The URL is left as it is */
      addUrlEvents: boolean;
      /** @description The URL is left as it is */
      addUrlTypesMessages: boolean;
      /** @description The events that are sent */
      events: string[];
      /** @description The messages that are not */
      excludeMessages: string[];
    };
    /** @description How the webhook is set up at the gateway */
    ChannelSetup: {
      /** @description What the gateway must post its events to: secret, fixed per agent */
      webhook_url: string;
      /** @description What to do in the dashboard of the gateway, in this order */
      steps: string[];
      /** @description The gateway's seven webhook settings, by the names they have there */
      settings: components['schemas']['ChannelSetupSettings'];
    };
    /** @description What went wrong last; absent while all is well */
    ChannelLastError: {
      /**
       * @description A stable word to program against
       * @enum {string}
       */
      code:
        | 'invalid_credentials'
        | 'gateway_unreachable'
        | 'gateway_busy'
        | 'not_a_gateway'
        | 'not_connected'
        | 'session_down'
        | 'timelocked'
        | 'webhook_wrong'
        | 'number_moved'
        | 'other_number'
        | 'other_token'
        | 'webhook_suffix';
      /** @description A readable sentence */
      message: string;
      /**
       * Format: date-time
       * @description When it was seen
       */
      at: string;
    };
    /** @description The WhatsApp session at the gateway */
    ChannelSession: {
      /** @description The gateway's own word, as it was last seen */
      status: string;
      /** @description Why it is down, if the gateway gives a reason */
      reason?: string;
      /**
       * Format: date-time
       * @description When the gateway was asked last
       */
      checked_at: string;
      /**
       * Format: date-time
       * @description Absent while the session is up
       */
      down_since?: string;
      /**
       * @description The webhook at the gateway: right, messages arrive; wrong, they do not; unread, the gateway does not show it
       * @enum {string}
       */
      webhook?: 'right' | 'wrong' | 'unread';
    };
    /** @description What there is to tell of it */
    StreamEventAcceptedData: {
      /**
       * Format: uuid
       * @description The conversation that the message is in
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description Of the message that was sent
       */
      message_id: string;
      /** @description GET it with Last-Event-ID to go on after a cut */
      stream_url: string;
    };
    /** @description The message is durable. Whatever happens to this connection, it will be answered. */
    StreamEventAccepted: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'accepted';
      /** @description What there is to tell of it */
      data: components['schemas']['StreamEventAcceptedData'];
    };
    /** @description What there is to tell of it */
    StreamEventDeltaData: {
      /** @description Number of the model call within the run; the text of one step is one text, a new step begins anew */
      step: number;
      /** @description To be put behind what came before it */
      text: string;
    };
    /** @description More text. The pieces of a step together are the answer; before a transfer, the message of the agent that hands over; before tool calls, what the agent says beside them, which is in no message. */
    StreamEventDelta: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'delta';
      /** @description What there is to tell of it */
      data: components['schemas']['StreamEventDeltaData'];
    };
    /** @description What there is to tell of it */
    StreamEventRestartData: {
      /** @description Number of the model call within the run; the text of one step is one text, a new step begins anew */
      step: number;
    };
    /** @description The text of this step so far is void: the model is asked again, and its text comes anew. */
    StreamEventRestart: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'restart';
      /** @description What there is to tell of it */
      data: components['schemas']['StreamEventRestartData'];
    };
    /** @description What there is to tell of it */
    StreamEventToolCallData: {
      /** @description Number of the model call within the run; the text of one step is one text, a new step begins anew */
      step: number;
      /** @description The same in both events of a call */
      call_id: string;
      /** @description The action */
      name: string;
      /**
       * @description What has become of it
       * @enum {string}
       */
      status: 'started' | 'succeeded' | 'failed';
    };
    /** @description A tool call has started, or has ended. */
    StreamEventToolCall: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'tool_call';
      /** @description What there is to tell of it */
      data: components['schemas']['StreamEventToolCallData'];
    };
    /** @description What there is to tell of it */
    StreamEventTransferData: {
      /** @description Number of the model call within the run; the text of one step is one text, a new step begins anew */
      step: number;
      /**
       * Format: uuid
       * @description The agent that takes over
       */
      agent_id: string;
      /** @description Its name */
      responding_agent_name: string;
    };
    /** @description The conversation is handed over to this agent. */
    StreamEventTransfer: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'transfer';
      /** @description What there is to tell of it */
      data: components['schemas']['StreamEventTransferData'];
    };
    /** @description The last event: exactly the body of the synchronous call. */
    StreamEventCompleted: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'completed';
      /** @description What there is to tell of it */
      data: components['schemas']['ChatAnswer'];
    };
    /** @description The last event where there is no answer: the body of the error. */
    StreamEventFailed: {
      /** @description Sent as Last-Event-ID it goes on after this event */
      id?: string;
      /**
       * @description The kind of event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'failed';
      /** @description What there is to tell of it */
      data: components['schemas']['ErrorBody'];
    };
    /** @description The end user */
    ConversationContact: {
      /** @description The caller's own key, or the channel's: `whatsapp:` and a number or LID that is theirs now */
      id: string;
      /** @description How people call them */
      name?: string;
    };
    /** @description Outcome of its callback or of its channel reply; absent if it has neither */
    AgentMessageDelivery: {
      /**
       * @description pending: not begun; attempting: under way; delivered: answered with 2xx; failed: another answer, or none in time; blocked: the address may not be called; unknown: a process died meanwhile, so it may have arrived. It is never attempted again
       * @enum {string}
       */
      status: 'pending' | 'attempting' | 'delivered' | 'failed' | 'blocked' | 'unknown';
      /**
       * Format: date-time
       * @description When its one attempt began
       */
      attempted_at?: string;
    };
    /** @description It works, and another is better */
    ToolActionDeprecated: {
      /** @description The action to use instead */
      use: string;
    };
    /** @description The action's parameters; their schema is in GET /tools/docs/actions */
    RunToolActionInput:
      | {
          [key: string]: unknown;
        }
      | string;
    /** @description Without one no answer is given */
    McpMessageId: string | number;
    /** @description What the method takes */
    McpMessageParams: {
      [key: string]: unknown;
    };
    /** @description Why */
    McpRefusalError: {
      /** @description As JSON-RPC counts them */
      code: number;
      /** @description A readable sentence */
      message: string;
    } & {
      [key: string]: unknown;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export interface operations {
  listAgents: {
    parameters: {
      query?: {
        /** @description Rows a page, 1 to 100 */
        limit?: number;
        /** @description next_cursor of the page before */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  createAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAgent'];
      };
    };
    responses: {
      /** @description The answer. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `conflict`: The name is taken. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  getAgent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  deleteAgent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  updateAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `updated_at` that you have read. If it is no longer the present one: 409 `version_conflict`, and nothing is changed. */
        'If-Match'?: string;
      };
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAgent'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `conflict`: The name is taken. · `version_conflict`: It has changed since the version that If-Match names. Read it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  bindInbox: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the inbox */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BindInbox'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Inbox'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  getChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  connectChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectChannel'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `gateway_unreachable`: The gateway gave no usable answer. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  editChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EditChannel'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `gateway_unreachable`: The gateway gave no usable answer. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  verifyChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `gateway_unreachable`: The gateway gave no usable answer. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  checkChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  moveChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent that keeps the number */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  disconnectChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  checkWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookCheck'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `gateway_unreachable`: The gateway gave no usable answer. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  setWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookCheck'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `gateway_unreachable`: The gateway gave no usable answer. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  listChannelEvents: {
    parameters: {
      query?: {
        /** @description Rows a page, 1 to 100 */
        limit?: number;
        /** @description next_cursor of the page before */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the agent whose channel it is */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChannelEventList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  sendMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description A repeat within 24 hours returns the first call's status and body and adds nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description An agent's identifier, or an API inbox's */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChatRequest'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChatAnswer'];
          'text/event-stream': components['schemas']['StreamEvent'];
        };
      };
      /** @description The answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Acknowledgement'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `credit_limit_reached`: The monthly credit limit is reached. · `storage_limit_reached`: This organization's file storage is full. Nothing was accepted. Erase conversations or have the limit raised. · `message_limit_reached`: The monthly message limit is reached. */
      402: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `agent_inactive`: The agent is switched off. · `idempotency_conflict`: This Idempotency-Key was used with another body. · `cancelled`: The run was cancelled: there is no answer. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `agent_failed`: The agent run ended in failure. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `sync_timeout`: The answer takes longer than a call may wait; it will land in the history. */
      504: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  followMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description The id of the last event that has arrived; without it the stream begins anew. */
        'Last-Event-ID'?: string;
      };
      path: {
        /** @description message_id of the first event: the message that was sent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, as they happen. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['StreamEvent'];
        };
      };
      /** @description Done; no body. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  listConversations: {
    parameters: {
      query?: {
        /** @description Rows a page, 1 to 100 */
        limit?: number;
        /** @description next_cursor of the page before */
        cursor?: string;
        /** @description Only those that this agent answers now */
        agent_id?: string;
        /** @description Only those of this contact */
        contact_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConversationList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  getConversation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Conversation'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  deleteConversation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeleteConversationAnswer'];
        };
      };
      /** @description Done; no body. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  cancelRuns: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cancelled'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  regenerateAnswer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegenerateAnswer'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChatAnswer'];
          'text/event-stream': components['schemas']['StreamEvent'];
        };
      };
      /** @description The answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Acknowledgement'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `credit_limit_reached`: The monthly credit limit is reached. · `message_limit_reached`: The monthly message limit is reached. */
      402: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. · `agent_inactive`: The agent is switched off. · `cancelled`: The run was cancelled: there is no answer. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `agent_failed`: The agent run ended in failure. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `sync_timeout`: The answer takes longer than a call may wait; it will land in the history. */
      504: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  deleteContact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The contact's `id`, as a conversation shows it; percent-encoded */
        contactId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeleteConversationAnswer'];
        };
      };
      /** @description Done; no body. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  exportContact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The contact's `id`, as a conversation shows it; percent-encoded */
        contactId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  pauseConversation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PauseConversation'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Conversation'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  resumeConversation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Conversation'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  listMessages: {
    parameters: {
      query?: {
        /** @description Rows a page, 1 to 100 */
        limit?: number;
        /** @description next_cursor of the page before */
        cursor?: string;
        /** @description asc: the oldest first */
        order?: 'asc' | 'desc';
      };
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MessageList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  writeAsPerson: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the conversation */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WriteAsPerson'];
      };
    };
    responses: {
      /** @description The answer. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description Rows a page, 1 to 100 */
        limit?: number;
        /** @description next_cursor of the page before */
        cursor?: string;
        /** @description Only those of this conversation */
        conversation_id?: string;
        /** @description Only those in this state */
        status?: 'pending' | 'attempting' | 'delivered' | 'failed' | 'blocked' | 'unknown';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  listToolActions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ToolActionList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  runToolAction: {
    parameters: {
      query?: never;
      header?: {
        /** @description A repeat within 24 hours returns the first call's status and body and adds nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description An identifier of GET /tools/docs/actions */
        action: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RunToolAction'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ToolActionResult'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. · `idempotency_conflict`: This Idempotency-Key was used with another body. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `sync_timeout`: The answer takes longer than a call may wait; it will land in the history. */
      504: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  listToolConnections: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ToolConnectionList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  connectTool: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectTool'];
      };
    };
    responses: {
      /** @description The answer. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ToolConnection'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `gateway_unreachable`: The gateway gave no usable answer. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  getToolConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the connection */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ToolConnection'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  deleteToolConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the connection */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  getOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  changeOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeOrganization'];
      };
    };
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
      /** @description `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  exportOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  getUsage: {
    parameters: {
      query?: {
        /** @description Days, with today (UTC); 1 to 92 */
        days?: number;
        /** @description token: what was begun by calls with this token alone */
        of?: 'organization' | 'token';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Usage'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not fit the schema. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  callMcp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['McpMessage'];
      };
    };
    responses: {
      /** @description The answer, as an event. A failed action is an answer too: `isError` says so. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description Taken: a message that asks for no answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not JSON, or no message of the protocol. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CallMcpAnswer'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description Accept does not name both application/json and text/event-stream. */
      406: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpRefusal'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `rate_limited`: Too many requests. Wait for the time in Retry-After. */
      429: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  returnFromSignIn: {
    parameters: {
      query?: {
        /** @description As it was in the authorization URL */
        state?: string;
        /** @description Where the person allowed it: exchanged for tokens */
        code?: string;
        /** @description Where they did not: access_denied */
        error?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description To the console's tools page, whose query says `connection`: connected, denied, expired or failed. */
      303: {
        headers: {
          /** @description The page */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The request could not be recorded; nothing was accepted. Try again. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
    };
  };
  receiveMessageCompleted: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageCompleted'];
      };
    };
    responses: {
      /** @description Delivered. Any other answer is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveMessageError: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageError'];
      };
    };
    responses: {
      /** @description Delivered. Any other answer is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveSessionDown: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChannelSessionDown'];
      };
    };
    responses: {
      /** @description Delivered. Any other answer is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveTimelocked: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChannelTimelocked'];
      };
    };
    responses: {
      /** @description Delivered. Any other answer is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
