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
     * @description The agents of your organization, oldest first.
     */
    get: operations['listAgents'];
    put?: never;
    /**
     * Create an agent with its API inbox
     * @description Only name is required. With tools, their policies, approvers or connections, a token also needs the scope tools.manage. Without a model, the agent uses the configured default. scripted/default needs no provider: it answers from the script of the agent.
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
     * @description Settings that were never set have their default, except `script`, `grouping_max_seconds` and `grouping_max_messages`, which are then absent.
     */
    get: operations['getAgent'];
    put?: never;
    post?: never;
    /**
     * Delete an agent
     * @description Its conversations stay readable, and messages that were already accepted are still answered. It can be restored for 7 days.
     */
    delete: operations['deleteAgent'];
    options?: never;
    head?: never;
    /**
     * Change an agent
     * @description Absent fields stay as they are. To change its tools, their policies, its approvers or its connections, a token also needs the scope tools.manage. Null resets an optional setting to its default. A change of its instructions, model, fallback model, parameters of the model, output schema, script, follow-ups, transfers, right to hand over, tools, their policies, approvers or connections is a new version, which answers from the next run on. If the agent requires a rehearsal, a new version without one is refused: 409 `invalid_state`. With `If-Match`, nothing changes if someone else has changed the agent since.
     */
    patch: operations['updateAgent'];
    trace?: never;
  };
  '/deleted-agents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List deleted agents
     * @description The agents that were deleted in the last 7 days and can be restored, in the order in which they were created.
     */
    get: operations['listDeletedAgents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deleted-agents/{id}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a deleted agent
     * @description The agent is again as it was when it was deleted, at most 7 days ago: its settings, versions, inbox and WhatsApp channel, and the API tokens that are bound to it. Approvals that its deletion ended stay ended. If another agent has its name: 409 `conflict`.
     */
    post: operations['restoreAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the versions of an agent
     * @description Newest first. Each change of its instructions, model, script, follow-ups, transfers, right to hand over, tools, their policies, approvers, connections, temperature, output cap, reasoning effort or output schema is a version. Kept are the newest 50 of at most 4 MiB, and older ones with which a kept conversation was answered, up to 1,000 and 64 MiB.
     */
    get: operations['listAgentVersions'];
    put?: never;
    /**
     * Publish the draft of an agent as a version
     * @description Below 100 percent, the published version stays, and the new one becomes the candidate: that share of new conversations gets it, each for as long as it is the candidate. Without a draft, or if the agent requires a rehearsal and no rehearsal of exactly this draft has passed: 409 `invalid_state`. If the draft or the agent has changed meanwhile, `version_conflict`: save the draft again. `If-Match` takes the `updated_at` of the draft, so that nothing is published that you have not read. A candidate keeps its share if another version is published.
     */
    post: operations['publishAgentDraft'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/versions/{version}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a version of an agent, and how it differs from another
     * @description A version never changes. `changes` names the fields that differ, with both values.
     */
    get: operations['getAgentVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Publish an earlier version of an agent again
     * @description Its content becomes a new version, so that a higher number always means a later version. If the agent has that content already, nothing changes. A version whose tools, agents, connections or model no longer exist is refused. Runs in progress keep their version.
     */
    post: operations['rollBackAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/draft': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the draft of an agent
     * @description Each agent has at most one. 404 if it has none.
     */
    get: operations['getAgentDraft'];
    /**
     * Save the draft of an agent
     * @description Replaces the draft by the published version with these changes. Nobody is answered with it before POST /agents/{id}/versions publishes it. `If-Match` takes the `updated_at` of the draft, or of the agent if it has none: then nothing changes if someone else has saved a draft since.
     */
    put: operations['saveAgentDraft'];
    post?: never;
    /**
     * Discard the draft of an agent
     * @description 404 if it has none. With `If-Match`, which takes the `updated_at` of the draft, nothing changes if someone else has saved it since.
     */
    delete: operations['discardAgentDraft'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/candidate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Give a version of an agent a share of new conversations
     * @description A conversation gets the candidate or the published version when it begins, and keeps it while the agent has this candidate; tests in the console get the published one. 0 ends the candidate: its conversations continue with the published version. 100 publishes the candidate.
     */
    put: operations['setAgentCandidate'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/rehearsals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the rehearsals of an agent
     * @description Newest first. The newest 50 are kept, for 90 days.
     */
    get: operations['listRehearsals'];
    put?: never;
    /**
     * Rehearse an agent
     * @description Asks recorded turns again, with a draft, another version or another model, and reports how the answers differ. Nothing is sent: a tool call with the recorded arguments gets the recorded result, and no tool that may change data is called. Its model calls cost credits. At most 2 rehearsals of an organization run at once: a further one gets 409 `invalid_state`.
     */
    post: operations['startRehearsal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/rehearsals/{rehearsalId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a rehearsal
     * @description With its progress: how many turns have which outcome, what they cost, and how long they took.
     */
    get: operations['getRehearsal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/rehearsals/{rehearsalId}/turns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the turns of a rehearsal
     * @description In the order in which they were recorded, each with what the agent did then and now. Texts have at most 20,000 characters, arguments 2,000, a turn 20 calls.
     */
    get: operations['listRehearsalTurns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/rehearsals/{rehearsalId}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a rehearsal
     * @description Turns that have an outcome keep it. The model calls in progress are aborted. If it has ended: 409 `invalid_state`.
     */
    post: operations['cancelRehearsal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/rehearsals/{rehearsalId}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a rehearsal
     * @description Asks the turns again that a cancelled or failed rehearsal has not asked, and those that failed. If there are none, or it runs: 409 `invalid_state`.
     */
    post: operations['resumeRehearsal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/test-turns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the test set of an agent
     * @description The turns that a rehearsal with source `test_set` asks again. A turn is erased with its conversation.
     */
    get: operations['listTestTurns'];
    put?: never;
    /**
     * Add turns to the test set of an agent
     * @description Of one run, or all that the agent began in a conversation. A turn is a run that answered a message. At most 1000 turns. If there is no such turn: 404.
     */
    post: operations['addTestTurns'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/test-turns/{turnId}': {
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
     * Remove a turn from the test set of an agent
     * @description Later rehearsals of the test set do not ask it; the recorded conversation stays as it is.
     */
    delete: operations['removeTestTurn'];
    options?: never;
    head?: never;
    patch?: never;
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
     * @description Asks the gateway for its status with these values. If that succeeds, stores them and returns the webhook's URL and set-up steps. If other agents are connected with the number, the call gets 409 number_in_use; with take_over, their channels become inactive. A failed call changes nothing.
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
     * @description Sets the state to connected if the session at the gateway is connected. Otherwise also returns 200: the state stays awaiting_webhook, and last_error gives the reason. If other agents are connected with the number, the call gets 409 number_in_use; with take_over, their channels become inactive.
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
     * @description Asks the gateway for its session and webhook, at most once in 5 seconds per channel; a call within that time returns the last result. The state stays connected; last_error says why messages do not arrive, and is absent if they do. Parley runs the same check once a minute.
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
     * Compare the webhook at the gateway with the required settings
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
  '/agents/{id}/channel/webhook/renew': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew the secret in the webhook URL
     * @description Sets the new URL at the gateway where possible. Events at the previous URL are accepted for another hour; until then, 409 for a further renewal.
     */
    post: operations['renewWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/hello': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test message to a phone
     * @description Sends one WhatsApp message now, through a connected channel, and waits until the gateway has accepted or refused it. It is sent at most once, whatever happens; a channel sends at most 10 within an hour. Then read it until its status is arrived.
     */
    post: operations['sendChannelHello'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agents/{id}/channel/hello/{requestId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read whether a test message has arrived
     * @description If its arrival is not confirmed, also asks the gateway, at most once in 3 seconds. A hello is kept for a day.
     */
    get: operations['getChannelHello'];
    put?: never;
    post?: never;
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
     * List the gateway's messages and why some were ignored, newest first
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
     * @description Asynchronous: returns 202 once the message is durable. The answer is added to the history and, if there is a webhook_url, posted to it. Synchronous: returns the answer. With Accept: text/event-stream, streams the answer's text as events; the last event is the answer or the error. Resume a broken stream with GET /messages/{id}/stream. Closing the connection does not cancel the run. Without the scope conversations.view, a token continues only conversations that it began, also by a contact's id. While a person has taken over the conversation, an asynchronous message is stored for them (`paused`), and a synchronous one is refused (409 `invalid_state`).
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
     * @description Returns the events of a streamed call after the one that Last-Event-ID names, or from the beginning. Events are kept for ten minutes after the end of the run. After that, and for a message that was not sent with Accept: text/event-stream, only the last event is sent, once there is an answer. If Last-Event-ID is the id of the last event, returns 204, at which an EventSource stops. Without the scope conversations.view, a token follows only messages in conversations that it began.
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
  '/openai/models': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List agents as OpenAI's models
     * @description All active agents, oldest first, on one page.
     */
    get: operations['listOpenAiModels'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openai/models/{model}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an agent as OpenAI's model
     * @description An inactive agent is not found.
     */
    get: operations['getOpenAiModel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openai/chat/completions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message as a chat completion of OpenAI's API
     * @description Works like a synchronous POST /chat/{id}: the agent answers the last message. Without metadata.conversation_id or metadata.contact_id a new conversation begins, with the messages before the last one as its earlier turns, which the model reads. Closing the connection does not cancel the run. OpenAI's SDKs repeat a call after a broken connection: with an Idempotency-Key, which you must add, the repeat gets the first call's answer; without one it is a new message.
     */
    post: operations['createOpenAiCompletion'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openai/responses': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message as a response of OpenAI's API
     * @description Works like POST /openai/chat/completions, in the form of OpenAI's responses. `previous_response_id` and `conversation` continue a conversation, which has no branches. With `stream` the answer comes as OpenAI's events. Parley has no operation that reads a response again: read the conversation.
     */
    post: operations['createOpenAiResponse'];
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
     * @description Starts a new run over the same messages, with the history before them, also if the last run failed or was cancelled. Its answer is a new message with a new message_id and its own callback to the webhook_url of the messages. The replaced message stays in the history as `replaced`; no model reads it again, and its callback is never sent again. The current agent of the conversation answers. Synchronous and streamed as in POST /chat/{id}. 409 `invalid_state` while a run is in progress or a message waits, if no message was sent yet, while a person has taken over the conversation, and for conversations of a channel. A token also needs the scope conversations.view.
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
     * Erase a contact: all of their conversations and channel records
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
     * Export all data of one contact as JSON lines
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
     * Pause the agent, so that a person answers
     * @description Until the time is over or the conversation is resumed, the messages of the contact (of a channel conversation: in all its conversations) are stored but not answered. A reply on a channel stops before its next part, and a callback with an answer of the agent that is still pending becomes blocked. A synchronous call in progress gets its answer; later ones are refused.
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
     * Write in a conversation as a person
     * @description Stores the message in the history and pauses the agent. After any reply in progress, sends the message through the channel of the conversation or, for a conversation of the API, posts it to the last webhook_url as message.completed with `by_person`; its delivery shows whether it was sent. Without a webhook_url there is no delivery: read the message from the history. A token also needs the scope conversations.view.
     */
    post: operations['writeAsPerson'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/approvals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List approvals, newest first
     * @description Tool calls that an agent's `tool_policies` have a person approve, with their arguments and outcomes. A filter that matches nothing in your organization returns an empty list.
     */
    get: operations['listApprovals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/approvals/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an approval
     * @description With the arguments of the call, and its outcome once it has one.
     */
    get: operations['getApproval'];
    put?: never;
    /**
     * Approve or refuse a tool call
     * @description The first decision wins: a later one gets 409 `already_decided`, which says who decided. An approved call is executed once, with the arguments that the approval shows. Of a refused call the model reads the note. 200: the decision is durable; `status` changes to `executed` or `unknown` when the call has ended.
     */
    post: operations['decideApproval'];
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
     * List callbacks and their outcomes, newest first
     * @description Each callback is attempted at most once. Parley does not send a failed, blocked or unknown callback again; read its message from the history, or send it again with POST /deliveries/{id}/resend.
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
  '/deliveries/{id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a callback again
     * @description Writes a new delivery with an id of its own, the same address and the same body, and the header `parley-resend-of` with the id of the first delivery. It is attempted at most once, and the first delivery stays as it is. A receiver that has processed the `message_id` must ignore it. At most 5 times per callback. 409 `invalid_state` while it is being sent, after the maximum, for an answer that was replaced, and for what is not a callback.
     */
    post: operations['resendCallback'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the endpoints whose callbacks are signed
     * @description By URL. An organization has at most 20, so there is one page.
     */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /**
     * Sign the callbacks of an endpoint
     * @description From now on, callbacks and alerts to this URL, and to URLs below its path, carry the headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Other callbacks are not signed. Only this response contains the secret.
     */
    post: operations['addWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhook-endpoints/{id}': {
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
     * Stop signing the callbacks of an endpoint
     * @description Its secrets are deleted at once.
     */
    delete: operations['removeWebhookEndpoint'];
    options?: never;
    head?: never;
    /**
     * Post waiting conversations to an endpoint
     * @description With `waiting_alerts`, Parley posts `conversation.waiting` to the endpoint when a conversation begins to wait for a person, once for each wait and signed: for agents whose channel has no `alert_url`, and for agents without a channel. Each endpoint with `waiting_alerts` gets it.
     */
    patch: operations['changeWebhookEndpoint'];
    trace?: never;
  };
  '/webhook-endpoints/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate an endpoint's secret
     * @description During the overlap, `webhook-signature` has two signatures: of the new secret, then of the previous one. A second rotation ends the overlap of the first. Only this response contains the new secret.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/test-callbacks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test callback
     * @description Posts one sample callback to a URL and returns what the receiver answered. It follows the rules of callbacks (public addresses, one attempt, the same time limit), is signed if the URL belongs to an endpoint, and has the header `parley-test: true` and ids that name nothing. At most 20 a minute.
     */
    post: operations['sendTestCallback'];
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
  '/tools/http': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the HTTP tools
     * @description All of them, by name. The values of their headers are returned by no call.
     */
    get: operations['listHttpTools'];
    put?: never;
    /**
     * Create an HTTP tool
     * @description An agent may call it once its `tools` name it. Parley sends its requests to public addresses only, and follows no redirect.
     */
    post: operations['createHttpTool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/http/openapi': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read the operations of an OpenAPI document
     * @description Returns each operation as an HTTP tool to create, or why it cannot be one. Creates nothing, and follows references inside the document only.
     */
    post: operations['readOpenapi'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/http/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an HTTP tool
     * @description Without the values of its headers.
     */
    get: operations['getHttpTool'];
    put?: never;
    post?: never;
    /**
     * Delete an HTTP tool
     * @description Erases its headers. Refused while agents name it.
     */
    delete: operations['deleteHttpTool'];
    options?: never;
    head?: never;
    /**
     * Change an HTTP tool
     * @description Absent fields stay as they are. The change takes effect in the next call.
     */
    patch: operations['updateHttpTool'];
    trace?: never;
  };
  '/tools/http/{id}/run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Call an HTTP tool once
     * @description Makes the request as for an agent, and returns what a model reads of it; 200 also if the request failed. A worker makes the request, which survives crashes: a write is sent at most once. A call that waits too long gets 504 while the request continues; repeat it with the same Idempotency-Key to read the result.
     */
    post: operations['runHttpTool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the MCP servers
     * @description All of them with the tools that agents can call, by name. No call returns their credentials.
     */
    get: operations['listMcpServers'];
    put?: never;
    /**
     * Add an MCP server
     * @description Streamable HTTP. Parley sends requests to public addresses only, and follows no redirect. Agents can call none of its tools yet: read them, then choose.
     */
    post: operations['createMcpServer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/mcp/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an MCP server
     * @description With the tools that agents can call, and without its credentials.
     */
    get: operations['getMcpServer'];
    put?: never;
    post?: never;
    /**
     * Remove an MCP server
     * @description Erases its credentials and its tools. Refused while agents name one of them.
     */
    delete: operations['deleteMcpServer'];
    options?: never;
    head?: never;
    /**
     * Change an MCP server
     * @description Absent fields stay as they are. The name and the address never change.
     */
    patch: operations['updateMcpServer'];
    trace?: never;
  };
  '/tools/mcp/{id}/read': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read the tools that an MCP server has now
     * @description Returns each as agents would get it, or why they cannot use it, and records which accepted ones have changed.
     */
    post: operations['readMcpTools'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/mcp/{id}/tools': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Choose and accept the tools of an MCP server
     * @description Sets all tools that agents can call. The digest says which description and schema you accept: models are offered exactly that. If the server changes either, models are not offered the tool until you accept the new digest.
     */
    put: operations['chooseMcpTools'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tools/mcp/{id}/run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Call a tool of an MCP server once
     * @description Calls it as for an agent, and returns what a model reads of the result; 200 also if the call failed. A worker makes the call, which survives crashes: a write is sent at most once. A call that waits too long gets 504 while it continues; repeat it with the same Idempotency-Key to read the result.
     */
    post: operations['runMcpTool'];
    delete?: never;
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
     * Read your organization and its settings
     * @description The organization of the token.
     */
    get: operations['getOrganization'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change your organization's retention
     * @description Absent fields stay as they are. A shorter retention starts erasing at once, and erased data cannot be restored. In the console this requires the capability to manage data.
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
     * Export all data of your organization as JSON lines
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
     * Read usage by day, this month's limits, and storage
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
  '/requests': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the API requests of all tokens, newest first
     * @description Contains no bodies, texts or addresses. A request is listed about a second after its response. Not every request is kept: of an organization, each API process keeps at most 20 errors and 20 other requests a second, and the newest 1,000 of each remain, for 7 days. A filter that matches nothing in your organization returns an empty list.
     */
    get: operations['listRequests'];
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
     * Call the document actions as an MCP client
     * @description A server of the Model Context Protocol: streamable HTTP without sessions, one JSON-RPC message per request. Its tools are the actions of GET /tools/docs/actions; if several workspaces are connected, the argument `connection_id` selects one. Give a client this URL, and an API token as bearer token.
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
     * Redirect of the workspace after a user allowed or denied a connection
     * @description The redirect URL to register with the OAuth integration. `state` is the proof: it is valid for one use within ten minutes.
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
  '/tools/mcp/{id}/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Redirect of an authorization server after a user allowed or denied access to an MCP server
     * @description The redirect URI of a client that is registered by hand for this server. `state` is valid for one use within ten minutes, in the console session that began the sign-in.
     */
    get: operations['returnFromMcpSignIn'];
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
    /** A run has failed permanently */
    post: operations['receiveMessageError'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'approval.requested': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A tool call waits for the approval of a person */
    post: operations['receiveApprovalRequested'];
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
  'conversation.waiting': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** To alert_url or a webhook endpoint: a conversation waits for a person */
    post: operations['receiveConversationWaiting'];
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
     * @description Body of every error response
     * @example {
     *       "error": "There is no such resource.",
     *       "code": "not_found"
     *     }
     */
    ErrorBody: {
      /** @description A sentence for people */
      error: string;
      /** @description A stable code for programs: invalid_json, unauthorized, credit_limit_reached, credit_cap_reached, message_limit_reached, storage_limit_reached, forbidden, not_found, method_not_allowed, idempotency_conflict, agent_inactive, conflict, version_conflict, cancelled, number_in_use, already_decided, invalid_state, payload_too_large, unsupported_media_type, validation_failed, invalid_credentials, rate_limited, internal, agent_failed, output_invalid, gateway_unreachable, unavailable, sync_timeout. New codes may be added */
      code: string;
      /** @description With validation_failed: each invalid field */
      details?: components['schemas']['ErrorDetail'][];
      /**
       * Format: uuid
       * @description With credit_cap_reached, agent_failed, output_invalid, cancelled and sync_timeout: the conversation that holds the result
       */
      conversation_id?: string;
    };
    /** @description An invalid field */
    ErrorDetail: {
      /** @description Dotted path of the field, for example attachments.0.url */
      path: string;
      /** @description The problem of the field */
      message: string;
    };
    /**
     * @description Body of an error response below /openai
     * @example {
     *       "error": {
     *         "message": "There is no such resource.",
     *         "type": "invalid_request_error",
     *         "param": "model",
     *         "code": "not_found"
     *       }
     *     }
     */
    OpenAiError: {
      /** @description The error */
      error: components['schemas']['OpenAiErrorError'];
    };
    /** @description One page of a list */
    AgentList: {
      /** @description Rows of this page */
      data: components['schemas']['Agent'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description An agent. Settings that were never set have their default, or are absent if they have none */
    Agent: {
      /**
       * Format: uuid
       * @description Identifier of the agent
       */
      id: string;
      /** @description Unique in the organization */
      name: string;
      /** @description Purpose of the agent, for people and for agents that may transfer to this one */
      description: string;
      /** @description The agent's system prompt */
      instructions: string;
      /** @description provider/name of the model that the agent uses */
      model: string;
      /** @description provider/name of the model that answers in its place if its model fails for good: it cannot be reached, fails or is overloaded, limits the rate, refuses the key, has no credit left, does not exist, or is not set up. Each such answer names the failure. If absent, the run fails */
      fallback_model?: string;
      /** @description Rules for scripted/default; the first match wins. Other models ignore them */
      script?: components['schemas']['ScriptRule'][];
      /** @description false: the agent accepts no messages (409 agent_inactive) */
      active: boolean;
      /** @description Sliding grouping window in seconds; 0 answers each message separately */
      grouping_window_seconds: number;
      /** @description Maximum age of a group in seconds. Default: five times grouping_window_seconds */
      grouping_max_seconds?: number;
      /** @description Maximum messages of a group; default 20 */
      grouping_max_messages?: number;
      /**
       * @description What happens to a message that arrives during a run. next_group (default): it is answered after the run. cancel_and_merge: the model call in progress is cancelled, and all messages are answered together at once, as one group; tools that have been called are not called again. A run is not cancelled if it has already written a message (as before a transfer), has grouping_max_messages, is synchronous, or is a follow-up. The tokens of a cancelled model call are not in credits_used.
       * @enum {string}
       */
      input_during_run: 'next_group' | 'cancel_and_merge';
      /** @description Messages to send while the user stays silent, one after the other; any new message ends them */
      follow_ups: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to: string[];
      /** @description true: the model may hand the conversation over to a person, with the tool hand_over_to_person and a reason. The agent then no longer answers until a person resumes it, at most for 30 days. Default: false */
      may_hand_over: boolean;
      /** @description Identifiers of actions, for example DOCS_FETCH_DATA, names of HTTP tools, and of tools of MCP servers */
      tools: string[];
      /** @description Tools that a person must approve, or that the agent must not call. Other tools run without asking */
      tool_policies: components['schemas']['ToolPolicy'][];
      /** @description People who are asked on WhatsApp to approve a tool call, and may decide by a reply. Anybody with the right to do so decides in the console or over the API as well */
      approvers: components['schemas']['Approver'][];
      /** @description Connected workspaces that its tools may use, and no others. If absent, the organization's workspace while it has only one; an agent that relied on that keeps it when a second one is connected */
      connections?: string[];
      /** @description Time limit of one model call, or of one request to an agent that runs elsewhere, in seconds. A call that takes longer is tried three times in all; then the run fails. If absent, the limit of the installation. scripted/default has none */
      model_timeout_seconds?: number;
      /** @description How much the answers vary: 0 to 2, at Anthropic to 1. If absent, the default of the provider. Some models have none: their provider refuses it or ignores it */
      temperature?: number;
      /** @description Output cap: maximum tokens that the model writes in one call, at most providers with its reasoning. An answer that reaches it is cut off (`truncated`). If absent, the default of the provider */
      max_output_tokens?: number;
      /**
       * @description How much the model reasons before it answers. If absent, the default of the provider. A model without reasoning refuses it or ignores it
       * @enum {string}
       */
      reasoning_effort?: 'none' | 'low' | 'medium' | 'high';
      /** @description JSON Schema of an object. Each answer is then a JSON object that fits it, also in the field `output`, except a text with which the agent transfers or hands over; a run whose answer does not fit, even after the model was asked once more, fails with `output_invalid`. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Answers have no fields that it does not name. If absent, answers are text */
      output_schema?: {
        [key: string]: unknown;
      };
      /** @description Caps on the credits that its model calls may cost */
      credit_caps?: components['schemas']['CreditCaps'];
      /** @description Text that the agent answers if a cap on credits leaves no room for a model call. If absent, the run fails */
      cap_message?: string;
      /** @description true: a change of what changes its answers is published only if a rehearsal of exactly that content has passed; otherwise 409 `invalid_state`. Rollbacks need none. Default: false */
      requires_rehearsal: boolean;
      /** @description True if no model was set: `model` is the configured default, and changes with it */
      uses_default_model: boolean;
      /**
       * Format: uuid
       * @description The API inbox that was created with the agent
       */
      inbox_id: string;
      /** @description Number of its version, which grows with each change of a setting that changes its answers (see /agents/{id}/versions) */
      version: number;
      /** @description The version that is tried on a share of new conversations; absent if there is none */
      candidate?: components['schemas']['AgentCandidate'];
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
    /** @description What scripted/default does if the rule matches */
    ScriptRule: {
      /**
       * @description The kind of input that the rule answers. Default: message
       * @enum {string}
       */
      on?: 'message' | 'follow_up' | 'tool_result';
      /** @description Regular expression (RE2 syntax, linear time) over the input text; over its beginning if the expressions of the script are large. At most 1,000 instructions when compiled, 5,000 in all of a script: a{500} has 500 */
      when?: string;
      /** @description Text of the reply; $1… are replaced by the groups of the match */
      reply?: string;
      /** @description Name of the agent to transfer to */
      transfer_to?: string;
      /** @description Calls this tool; the model is then called again with its result */
      tool?: components['schemas']['ScriptRuleTool'];
      /** @description Wait before the answer in milliseconds; together with word_ms at most a minute */
      delay_ms?: number;
      /** @description Wait before each word of the reply in milliseconds */
      word_ms?: number;
      /** @description Fails the model call */
      fail?: components['schemas']['ScriptRuleFail'];
    };
    /** @description A message that the agent sends to a silent user */
    FollowUp: {
      /** @description Seconds without a user message after the agent's last message */
      after_seconds: number;
      /** @description Instructions for the model in this follow-up */
      instructions: string;
    };
    /** @description What an agent may do with one of its tools */
    ToolPolicy: {
      /** @description Name of one of the agent's tools */
      tool: string;
      /**
       * @description always: the agent calls it without asking, as without a policy. ask: a person must approve each call. never: each call is refused
       * @enum {string}
       */
      policy: 'always' | 'ask' | 'never';
      /** @description Condition on the arguments under which the call runs without asking, although the policy is ask or never: `amount <= 50 and currency in ["EUR", "USD"]`. Comparisons (=, !=, <, <=, >, >=, in) of arguments with numbers, texts in double quotes, true and false, joined by and, or; and binds closer. A comparison with a missing argument, or one of another type, does not hold */
      unless?: string;
      /** @description How long an approval waits, in seconds. Default: 86,400, one day */
      expires_after_seconds?: number;
      /**
       * @description What happens to a call if nobody decides in time. Default: refuse
       * @enum {string}
       */
      on_expiry?: 'refuse' | 'approve';
    };
    /** @description A person who may decide on tool calls by a reply on WhatsApp */
    Approver: {
      /** @description Name of the person, with which a decision is recorded */
      name: string;
      /** @description WhatsApp number of the person: + and 8 to 15 digits, with the country code */
      phone: string;
    };
    /**
     * @description Caps on credits. A model call whose most expensive outcome does not fit is not made
     * @example {
     *       "day": 500,
     *       "conversation_day": 20
     *     }
     */
    CreditCaps: {
      /** @description Maximum credits of a day (UTC). Absent: no cap */
      day?: number;
      /** @description Maximum credits of a calendar month (UTC). Absent: no cap */
      month?: number;
      /** @description Maximum credits of each contact in a day (UTC). Absent: no cap */
      contact_day?: number;
      /** @description Maximum credits of each contact in a calendar month (UTC). Absent: no cap */
      contact_month?: number;
      /** @description Maximum credits of each conversation in a day (UTC). Absent: no cap */
      conversation_day?: number;
      /** @description Maximum credits of each conversation in a calendar month (UTC). Absent: no cap */
      conversation_month?: number;
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
      /** @description Purpose of the agent, for people and for agents that may transfer to this one */
      description?: string;
      /** @description The agent's system prompt */
      instructions?: string;
      /** @description provider/name of the model; if absent, the agent uses the configured default, and follows its changes. Null: the default */
      model?: string | null;
      /** @description provider/name of the model that answers in its place if its model fails for good: it cannot be reached, fails or is overloaded, limits the rate, refuses the key, has no credit left, does not exist, or is not set up. Each such answer names the failure. If absent, the run fails. Null: none */
      fallback_model?: string | null;
      /** @description Rules for scripted/default; the first match wins. Other models ignore them. Null: the default */
      script?: components['schemas']['ScriptRule'][] | null;
      /** @description false: the agent accepts no messages (409 agent_inactive) */
      active?: boolean;
      /** @description Sliding grouping window in seconds; 0 answers each message separately */
      grouping_window_seconds?: number;
      /** @description Maximum age of a group in seconds. Default: five times grouping_window_seconds. Null: the default */
      grouping_max_seconds?: number | null;
      /** @description Maximum messages of a group; default 20. Null: the default */
      grouping_max_messages?: number | null;
      /**
       * @description What happens to a message that arrives during a run. next_group (default): it is answered after the run. cancel_and_merge: the model call in progress is cancelled, and all messages are answered together at once, as one group; tools that have been called are not called again. A run is not cancelled if it has already written a message (as before a transfer), has grouping_max_messages, is synchronous, or is a follow-up. The tokens of a cancelled model call are not in credits_used.
       * @enum {string}
       */
      input_during_run?: 'next_group' | 'cancel_and_merge';
      /** @description Messages to send while the user stays silent, one after the other; any new message ends them */
      follow_ups?: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to?: string[];
      /** @description true: the model may hand the conversation over to a person, with the tool hand_over_to_person and a reason. The agent then no longer answers until a person resumes it, at most for 30 days. Default: false */
      may_hand_over?: boolean;
      /** @description Identifiers of actions, for example DOCS_FETCH_DATA, names of HTTP tools, and of tools of MCP servers */
      tools?: string[];
      /** @description Tools that a person must approve, or that the agent must not call. Other tools run without asking */
      tool_policies?: components['schemas']['ToolPolicy'][];
      /** @description People who are asked on WhatsApp to approve a tool call, and may decide by a reply. Anybody with the right to do so decides in the console or over the API as well */
      approvers?: components['schemas']['Approver'][];
      /** @description Connected workspaces that its tools may use, and no others. If absent, the organization's workspace while it has only one; an agent that relied on that keeps it when a second one is connected. Null: the default */
      connections?: string[] | null;
      /** @description Time limit of one model call, or of one request to an agent that runs elsewhere, in seconds. A call that takes longer is tried three times in all; then the run fails. If absent, the limit of the installation. scripted/default has none. Null: the default */
      model_timeout_seconds?: number | null;
      /** @description How much the answers vary: 0 to 2, at Anthropic to 1. If absent, the default of the provider. Some models have none: their provider refuses it or ignores it. Null: the default */
      temperature?: number | null;
      /** @description Output cap: maximum tokens that the model writes in one call, at most providers with its reasoning. An answer that reaches it is cut off (`truncated`). If absent, the default of the provider. Null: the default */
      max_output_tokens?: number | null;
      /** @description How much the model reasons before it answers. If absent, the default of the provider. A model without reasoning refuses it or ignores it. Null: the default */
      reasoning_effort?: ('none' | 'low' | 'medium' | 'high') | null;
      /** @description JSON Schema of an object. Each answer is then a JSON object that fits it, also in the field `output`, except a text with which the agent transfers or hands over; a run whose answer does not fit, even after the model was asked once more, fails with `output_invalid`. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Answers have no fields that it does not name. If absent, answers are text. Null: the default */
      output_schema?: {
        [key: string]: unknown;
      } | null;
      /** @description Caps on the credits that its model calls may cost. Null: the default */
      credit_caps?: components['schemas']['CreditCaps'] | null;
      /** @description Text that the agent answers if a cap on credits leaves no room for a model call. If absent, the run fails. Null: the default */
      cap_message?: string | null;
      /** @description true: a change of what changes its answers is published only if a rehearsal of exactly that content has passed; otherwise 409 `invalid_state`. Rollbacks need none. Default: false */
      requires_rehearsal?: boolean;
    };
    /**
     * @description The fields to change; absent fields stay as they are
     * @example {
     *       "active": false
     *     }
     */
    UpdateAgent: {
      /** @description Unique in the organization */
      name?: string;
      /** @description Purpose of the agent, for people and for agents that may transfer to this one */
      description?: string;
      /** @description The agent's system prompt */
      instructions?: string;
      /** @description provider/name of the model; if absent, the agent uses the configured default, and follows its changes. Null: the default */
      model?: string | null;
      /** @description provider/name of the model that answers in its place if its model fails for good: it cannot be reached, fails or is overloaded, limits the rate, refuses the key, has no credit left, does not exist, or is not set up. Each such answer names the failure. If absent, the run fails. Null: none */
      fallback_model?: string | null;
      /** @description Rules for scripted/default; the first match wins. Other models ignore them. Null: the default */
      script?: components['schemas']['ScriptRule'][] | null;
      /** @description false: the agent accepts no messages (409 agent_inactive) */
      active?: boolean;
      /** @description Sliding grouping window in seconds; 0 answers each message separately */
      grouping_window_seconds?: number;
      /** @description Maximum age of a group in seconds. Default: five times grouping_window_seconds. Null: the default */
      grouping_max_seconds?: number | null;
      /** @description Maximum messages of a group; default 20. Null: the default */
      grouping_max_messages?: number | null;
      /**
       * @description What happens to a message that arrives during a run. next_group (default): it is answered after the run. cancel_and_merge: the model call in progress is cancelled, and all messages are answered together at once, as one group; tools that have been called are not called again. A run is not cancelled if it has already written a message (as before a transfer), has grouping_max_messages, is synchronous, or is a follow-up. The tokens of a cancelled model call are not in credits_used.
       * @enum {string}
       */
      input_during_run?: 'next_group' | 'cancel_and_merge';
      /** @description Messages to send while the user stays silent, one after the other; any new message ends them */
      follow_ups?: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to?: string[];
      /** @description true: the model may hand the conversation over to a person, with the tool hand_over_to_person and a reason. The agent then no longer answers until a person resumes it, at most for 30 days. Default: false */
      may_hand_over?: boolean;
      /** @description Identifiers of actions, for example DOCS_FETCH_DATA, names of HTTP tools, and of tools of MCP servers */
      tools?: string[];
      /** @description Tools that a person must approve, or that the agent must not call. Other tools run without asking */
      tool_policies?: components['schemas']['ToolPolicy'][];
      /** @description People who are asked on WhatsApp to approve a tool call, and may decide by a reply. Anybody with the right to do so decides in the console or over the API as well */
      approvers?: components['schemas']['Approver'][];
      /** @description Connected workspaces that its tools may use, and no others. If absent, the organization's workspace while it has only one; an agent that relied on that keeps it when a second one is connected. Null: the default */
      connections?: string[] | null;
      /** @description Time limit of one model call, or of one request to an agent that runs elsewhere, in seconds. A call that takes longer is tried three times in all; then the run fails. If absent, the limit of the installation. scripted/default has none. Null: the default */
      model_timeout_seconds?: number | null;
      /** @description How much the answers vary: 0 to 2, at Anthropic to 1. If absent, the default of the provider. Some models have none: their provider refuses it or ignores it. Null: the default */
      temperature?: number | null;
      /** @description Output cap: maximum tokens that the model writes in one call, at most providers with its reasoning. An answer that reaches it is cut off (`truncated`). If absent, the default of the provider. Null: the default */
      max_output_tokens?: number | null;
      /** @description How much the model reasons before it answers. If absent, the default of the provider. A model without reasoning refuses it or ignores it. Null: the default */
      reasoning_effort?: ('none' | 'low' | 'medium' | 'high') | null;
      /** @description JSON Schema of an object. Each answer is then a JSON object that fits it, also in the field `output`, except a text with which the agent transfers or hands over; a run whose answer does not fit, even after the model was asked once more, fails with `output_invalid`. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Answers have no fields that it does not name. If absent, answers are text. Null: the default */
      output_schema?: {
        [key: string]: unknown;
      } | null;
      /** @description Caps on the credits that its model calls may cost. Null: the default */
      credit_caps?: components['schemas']['CreditCaps'] | null;
      /** @description Text that the agent answers if a cap on credits leaves no room for a model call. If absent, the run fails. Null: the default */
      cap_message?: string | null;
      /** @description true: a change of what changes its answers is published only if a rehearsal of exactly that content has passed; otherwise 409 `invalid_state`. Rollbacks need none. Default: false */
      requires_rehearsal?: boolean;
    };
    /** @description One page of a list */
    DeletedAgentList: {
      /** @description Rows of this page */
      data: components['schemas']['DeletedAgent'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A deleted agent that can still be restored */
    DeletedAgent: {
      /**
       * Format: uuid
       * @description Identifier of the agent
       */
      id: string;
      /** @description Unique in the organization */
      name: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      deleted_at: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      restorable_until: string;
    };
    /** @description One page of a list */
    ListedAgentVersionList: {
      /** @description Rows of this page */
      data: components['schemas']['ListedAgentVersion'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A version, which fields it changes, and how its runs ended */
    ListedAgentVersion: {
      /** @description Number of the version; each agent counts its own from 1 */
      version: number;
      /** @description True for the version that answers */
      published: boolean;
      /** @description If it is the candidate: the share of new conversations that get it, in percent; otherwise null */
      candidate_percent: number | null;
      /** @description Null if it was not recorded */
      created_at: string | null;
      /** @description Email of the member or name of the token that made the change; null if Parley made it, or if it was not recorded */
      author: string | null;
      /** @description As its author wrote it */
      note: string | null;
      /** @description The version whose content a rollback published again as this one */
      restores: number | null;
      /** @description Fields that differ from the version before; fields that one of them did not record are not compared. Null for the oldest one that is kept */
      changed:
        | (
            | 'instructions'
            | 'model'
            | 'fallback_model'
            | 'script'
            | 'follow_ups'
            | 'transfers_to'
            | 'may_hand_over'
            | 'tools'
            | 'tool_policies'
            | 'approvers'
            | 'connections'
            | 'temperature'
            | 'max_output_tokens'
            | 'reasoning_effort'
            | 'output_schema'
          )[]
        | null;
      /** @description Lines of the instructions that differ from the version before. Null if none do */
      changed_lines: components['schemas']['ListedAgentVersionChangedLines1'] | null;
      /** @description Runs that began with this version and ended in the last 7 days, without those of tests. Only the newest 1000 are counted */
      last_7_days: components['schemas']['ListedAgentVersionLast7Days'];
    };
    /**
     * @description How the draft is published
     * @example {
     *       "note": "Shorter answers.",
     *       "percent": 10
     *     }
     */
    PublishAgentDraft: {
      /** @description What the version changes, and why */
      note?: string;
      /** @description Below 100: the version becomes the candidate, which answers this share of new conversations, in percent. Default: 100, it answers all conversations */
      percent?: number;
    };
    /** @description A version with its content, and how it differs from another */
    AgentVersionDetail: {
      /** @description Number of the version; each agent counts its own from 1 */
      version: number;
      /** @description True for the version that answers */
      published: boolean;
      /** @description If it is the candidate: the share of new conversations that get it, in percent; otherwise null */
      candidate_percent: number | null;
      /** @description Null if it was not recorded */
      created_at: string | null;
      /** @description Email of the member or name of the token that made the change; null if Parley made it, or if it was not recorded */
      author: string | null;
      /** @description As its author wrote it */
      note: string | null;
      /** @description The version whose content a rollback published again as this one */
      restores: number | null;
      /** @description The agent's settings in this version */
      content: components['schemas']['AgentContent'];
      /** @description The version with which `changes` compares; null if no other version is kept */
      compared_with: number | null;
      /** @description Fields that differ from that version; fields that one of them did not record are not compared */
      changes: components['schemas']['AgentChange'][];
    };
    /** @description What changes an agent's answers. `model`, `script` and `connections` are absent in a version that an earlier version of Parley kept, which did not record them */
    AgentContent: {
      /** @description The agent's system prompt */
      instructions: string;
      /** @description provider/name; null: the configured default */
      model?: string | null;
      /** @description provider/name of the model that answers if the model fails for good; null: none */
      fallback_model?: string | null;
      /** @description Rules for scripted/default; null: none */
      script?: components['schemas']['ScriptRule'][] | null;
      /** @description Messages to send while the user stays silent, one after the other; any new message ends them */
      follow_ups: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to: string[];
      /** @description true: the model may hand the conversation over to a person, with the tool hand_over_to_person and a reason. The agent then no longer answers until a person resumes it, at most for 30 days. Default: false */
      may_hand_over: boolean;
      /** @description Identifiers of actions, for example DOCS_FETCH_DATA, names of HTTP tools, and of tools of MCP servers */
      tools: string[];
      /** @description Tools that a person must approve, or that the agent must not call. Other tools run without asking */
      tool_policies: components['schemas']['ToolPolicy'][];
      /** @description People who are asked on WhatsApp to approve a tool call, and may decide by a reply. Anybody with the right to do so decides in the console or over the API as well */
      approvers: components['schemas']['Approver'][];
      /** @description Connected workspaces that its tools may use; null: the organization's, while it has only one */
      connections?: string[] | null;
      /** @description How much the answers vary; null: the default of the provider */
      temperature?: number | null;
      /** @description Output cap of one model call, in tokens; null: the default of the provider */
      max_output_tokens?: number | null;
      /** @description How much the model reasons before it answers; null: the default of the provider */
      reasoning_effort?: ('none' | 'low' | 'medium' | 'high') | null;
      /** @description JSON Schema of the answers; null: answers are texts */
      output_schema?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description A field that differs between two versions */
    AgentChange: {
      /**
       * @description The field that differs
       * @enum {string}
       */
      field:
        | 'instructions'
        | 'model'
        | 'fallback_model'
        | 'script'
        | 'follow_ups'
        | 'transfers_to'
        | 'may_hand_over'
        | 'tools'
        | 'tool_policies'
        | 'approvers'
        | 'connections'
        | 'temperature'
        | 'max_output_tokens'
        | 'reasoning_effort'
        | 'output_schema';
      /** @description Its value in the other version */
      before: unknown;
      /** @description Its value in this version */
      after: unknown;
    };
    /**
     * @description The version to go back to
     * @example {
     *       "version": 3
     *     }
     */
    RollBackAgent: {
      /** @description The version whose content is published again */
      version: number;
      /** @description What the version changes, and why */
      note?: string;
    };
    /** @description Changes that were prepared for the next version of an agent */
    AgentDraft: {
      /** @description The version that was published when the draft was saved */
      base_version: number;
      /** @description Who saved it */
      author: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      updated_at: string;
      /** @description The agent's settings in the next version */
      content: components['schemas']['AgentContent'];
    };
    /**
     * @description The fields that the draft changes; absent fields are as in the published version
     * @example {
     *       "instructions": "Answer in two sentences."
     *     }
     */
    ChangeAgentDraft: {
      /** @description The agent's system prompt */
      instructions?: string;
      /** @description provider/name of the model; if absent, the agent uses the configured default, and follows its changes. Null: the default */
      model?: string | null;
      /** @description provider/name of the model that answers in its place if its model fails for good: it cannot be reached, fails or is overloaded, limits the rate, refuses the key, has no credit left, does not exist, or is not set up. Each such answer names the failure. If absent, the run fails. Null: none */
      fallback_model?: string | null;
      /** @description Rules for scripted/default; the first match wins. Other models ignore them. Null: the default */
      script?: components['schemas']['ScriptRule'][] | null;
      /** @description Messages to send while the user stays silent, one after the other; any new message ends them */
      follow_ups?: components['schemas']['FollowUp'][];
      /** @description Agents that this one may transfer to */
      transfers_to?: string[];
      /** @description true: the model may hand the conversation over to a person, with the tool hand_over_to_person and a reason. The agent then no longer answers until a person resumes it, at most for 30 days. Default: false */
      may_hand_over?: boolean;
      /** @description Identifiers of actions, for example DOCS_FETCH_DATA, names of HTTP tools, and of tools of MCP servers */
      tools?: string[];
      /** @description Tools that a person must approve, or that the agent must not call. Other tools run without asking */
      tool_policies?: components['schemas']['ToolPolicy'][];
      /** @description People who are asked on WhatsApp to approve a tool call, and may decide by a reply. Anybody with the right to do so decides in the console or over the API as well */
      approvers?: components['schemas']['Approver'][];
      /** @description Connected workspaces that its tools may use, and no others. If absent, the organization's workspace while it has only one; an agent that relied on that keeps it when a second one is connected. Null: the default */
      connections?: string[] | null;
      /** @description How much the answers vary: 0 to 2, at Anthropic to 1. If absent, the default of the provider. Some models have none: their provider refuses it or ignores it. Null: the default */
      temperature?: number | null;
      /** @description Output cap: maximum tokens that the model writes in one call, at most providers with its reasoning. An answer that reaches it is cut off (`truncated`). If absent, the default of the provider. Null: the default */
      max_output_tokens?: number | null;
      /** @description How much the model reasons before it answers. If absent, the default of the provider. A model without reasoning refuses it or ignores it. Null: the default */
      reasoning_effort?: ('none' | 'low' | 'medium' | 'high') | null;
      /** @description JSON Schema of an object. Each answer is then a JSON object that fits it, also in the field `output`, except a text with which the agent transfers or hands over; a run whose answer does not fit, even after the model was asked once more, fails with `output_invalid`. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Answers have no fields that it does not name. If absent, answers are text. Null: the default */
      output_schema?: {
        [key: string]: unknown;
      } | null;
      /** @description The version that you have changed. If another one is published, 409 `version_conflict`. Default: the published one */
      base_version?: number;
    };
    /**
     * @description The candidate and its share
     * @example {
     *       "version": 4,
     *       "percent": 10
     *     }
     */
    SetAgentCandidate: {
      /** @description A kept version of the agent */
      version: number;
      /** @description Share of new conversations in percent. 0: the agent no longer has a candidate. 100: the version is published */
      percent: number;
    };
    /** @description One page of a list */
    RehearsalList: {
      /** @description Rows of this page */
      data: components['schemas']['Rehearsal'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description Recorded turns of an agent, asked again */
    Rehearsal: {
      /**
       * Format: uuid
       * @description Identifier of the rehearsal
       */
      id: string;
      /**
       * Format: uuid
       * @description The agent that is rehearsed
       */
      agent_id: string;
      /**
       * @description running: turns are still to be asked. failed: `error` says why; it can be resumed
       * @enum {string}
       */
      status: 'running' | 'completed' | 'cancelled' | 'failed';
      /** @description Why it failed */
      error?: string;
      /** @description `draft` (as it was at the start), or the number of the version; also of one that the draft has become since */
      version: components['schemas']['RehearsalVersion'];
      /** @description The model that is used instead of the version's, if one was named */
      model?: string;
      /**
       * @description Where its turns come from
       * @enum {string}
       */
      source: 'recent' | 'test_set';
      /** @description Whether tools that only read may run */
      run_read_only_tools: boolean;
      /** @description Conditions that each answer must meet; at most 20 */
      rules: components['schemas']['RehearsalRule'][];
      /** @description Outcomes with which a turn passes. Default: same and other_text */
      accepts: (
        'same' | 'other_text' | 'other_tool' | 'other_arguments' | 'other_transfer' | 'refused' | 'failed'
      )[];
      /** @description A model that compares the answers of turns with the outcome other_text. A turn that is worse does not pass */
      judge?: components['schemas']['RehearsalJudge'];
      /** @description Its turns, without those of conversations that have been erased since */
      turns: number;
      /** @description Turns that have an outcome */
      done: number;
      /** @description Turns that meet the checks of the rehearsal */
      passed_turns: number;
      /** @description True if it is completed and every turn meets its checks */
      passed: boolean;
      /** @description How many turns ended with each outcome */
      outcomes: components['schemas']['RehearsalCounts'];
      /** @description Indexes of the rules that its turns break; of the turns that do not pass, the first 100 count */
      broken_rules: number[];
      /** @description True if the judge found the new answer of one of these turns worse */
      judged_worse: boolean;
      /** @description Turns that stopped at a tool call without a recorded result */
      diverged: number;
      /** @description Credits that its model calls cost */
      credits: number;
      /** @description Credits that the same turns cost when they were recorded */
      recorded_credits: number;
      /** @description Time of its model calls, in milliseconds */
      model_ms: number;
      /** @description Time of the recorded model calls, in milliseconds */
      recorded_model_ms: number;
      /** @description Who started it */
      author: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it ended; absent while it runs
       */
      finished_at?: string;
    };
    /** @description A condition that an answer must meet */
    RehearsalRule:
      | components['schemas']['RehearsalRule1']
      | components['schemas']['RehearsalRuleMaxChars']
      | components['schemas']['RehearsalRuleJsonSchema'];
    /** @description A model that compares answers */
    RehearsalJudge: {
      /** @description provider/name of the model */
      model: string;
      /** @description The criterion by which the model compares the answers */
      criterion: string;
    };
    /** @description Turns by outcome */
    RehearsalCounts: {
      /** @description Turns with the same answer */
      same: number;
      /** @description Turns in which only the text differs */
      other_text: number;
      /** @description Turns with another tool */
      other_tool: number;
      /** @description Turns with other arguments of a tool */
      other_arguments: number;
      /** @description Turns with another transfer */
      other_transfer: number;
      /** @description Turns with a call or transfer that is refused now */
      refused: number;
      /** @description Turns whose model call failed */
      failed: number;
    };
    /**
     * @description The version to rehearse, and the recorded turns to ask
     * @example {
     *       "version": "draft",
     *       "max_turns": 200
     *     }
     */
    StartRehearsal: {
      /** @description `draft`, or the number of a kept version. Default: the published version */
      version?: components['schemas']['RehearsalVersion'];
      /** @description Another model, provider/name. Default: the model of the version */
      model?: string;
      /**
       * @description recent (default): the newest turns of the agent. test_set: those of the agent's test set
       * @enum {string}
       */
      source?: 'recent' | 'test_set';
      /** @description Maximum turns to ask; the newest are taken. Default: 100 for source recent, all turns for test_set */
      max_turns?: number;
      /** @description true: a tool call without a recorded result runs if its tool only reads. Default: false, the turn stops there */
      run_read_only_tools?: boolean;
      /** @description Conditions that each answer must meet; at most 20 */
      rules?: components['schemas']['RehearsalRule'][];
      /** @description Outcomes with which a turn passes. Default: same and other_text */
      accepts?: (
        'same' | 'other_text' | 'other_tool' | 'other_arguments' | 'other_transfer' | 'refused' | 'failed'
      )[];
      /** @description A model that compares the answers of turns with the outcome other_text. A turn that is worse does not pass */
      judge?: components['schemas']['RehearsalJudge'];
    };
    /** @description One page of a list */
    RehearsalTurnList: {
      /** @description Rows of this page */
      data: components['schemas']['RehearsalTurn'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description One recorded turn, and the same turn asked again */
    RehearsalTurn: {
      /** @description Place of the turn in the rehearsal, from 0 */
      position: number;
      /**
       * Format: uuid
       * @description The conversation from which it was recorded
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description The run that was recorded
       */
      run_id: string;
      /** @description What the user wrote; the first 4,000 characters */
      input: string;
      /** @description Null: it is still to be asked */
      outcome:
        | ('same' | 'other_text' | 'other_tool' | 'other_arguments' | 'other_transfer' | 'refused' | 'failed')
        | null;
      /** @description True if it stopped at a tool call without a recorded result */
      diverged: boolean;
      /** @description Whether it meets the checks of the rehearsal */
      passed: boolean | null;
      /** @description Why it failed or was refused */
      error?: string;
      /** @description Indexes of the rules that the new answer breaks */
      broken_rules: number[];
      /** @description Absent if no judge compared the answers */
      judgement?: components['schemas']['RehearsalTurnJudgement'];
      /** @description As it was recorded */
      recorded: components['schemas']['TurnAnswer'];
      /** @description The version of the agent that gave the recorded answer; null if it was not recorded */
      recorded_version: number | null;
      /** @description As it was asked again; null: not yet */
      rehearsed: components['schemas']['TurnAnswer'] | null;
    };
    /** @description A tool call of a turn */
    RehearsedCall: {
      /** @description Name of the tool */
      name: string;
      /** @description Arguments of the call */
      arguments: unknown;
    };
    /** @description What the agent did in a turn */
    TurnAnswer: {
      /** @description The answer, or what the agent wrote before its transfer */
      text: string;
      /** @description Its tool calls, in order */
      calls: components['schemas']['RehearsedCall'][];
      /** @description The agent that it transferred to; null: none */
      transfer_to: string | null;
      /** @description Credits of the model calls */
      credits: number;
      /** @description Time of the model calls, in milliseconds */
      model_ms: number;
    };
    /** @description One page of a list */
    TestTurnList: {
      /** @description Rows of this page */
      data: components['schemas']['TestTurn'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A turn of the test set of an agent */
    TestTurn: {
      /**
       * Format: uuid
       * @description Identifier of the turn in the test set
       */
      id: string;
      /**
       * Format: uuid
       * @description The run of the turn
       */
      run_id: string;
      /**
       * Format: uuid
       * @description The conversation of the run
       */
      conversation_id: string;
      /** @description What the user wrote; the first 4,000 characters */
      input: string;
      /** @description Who added it */
      author: string;
      /**
       * Format: date-time
       * @description When it was added
       */
      created_at: string;
    };
    /**
     * @description Turns for the test set: one run, or a conversation
     * @example {
     *       "run_id": "01a1fecc-058a-7699-85b0-c9de1bd8082f"
     *     }
     */
    AddTestTurns: components['schemas']['AddTestTurns1'] | components['schemas']['AddTestTurns2'];
    /** @description The number of turns that were added to the test set */
    AddedTestTurns: {
      /** @description Turns that were added; those that it had already are not counted */
      added: number;
      /** @description Turns of the test set now */
      turns: number;
    };
    /** @description The agent to which an inbox is bound */
    BindInbox: {
      /**
       * Format: uuid
       * @description The agent that answers new conversations
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
       * @description The agent that answers new conversations
       */
      agent_id: string;
    };
    /** @description An agent's WhatsApp channel */
    Channel: {
      /**
       * @description Messages are received and sent only while the state is connected
       * @enum {string}
       */
      state: 'not_connected' | 'awaiting_webhook' | 'connected' | 'inactive';
      /** @description Address of the gateway instance */
      base_url?: string;
      /** @description The URL to which the gateway must post its events. It is secret, and stays the same until it is renewed */
      webhook_url?: string;
      /** @description The connected phone number: digits with country code */
      connected_number?: string;
      /** @description The webhook's set-up at the gateway */
      setup?: components['schemas']['ChannelSetup'];
      /** @description The current problem; absent if there is none */
      last_error?: components['schemas']['ChannelLastError'];
      /** @description The WhatsApp session at the gateway */
      session?: components['schemas']['ChannelSession'];
      /** @description Other agents that are connected with the same number. Messages reach only the agent whose URL the webhook has */
      shared_with?: components['schemas']['ChannelSharedWith'][];
      /**
       * Format: date-time
       * @description The number may not start new chats before this time (WhatsApp error 463)
       */
      timelocked_until?: string;
      /**
       * Format: date-time
       * @description When the gateway last delivered an event
       */
      last_inbound_at?: string;
      /** @description How long the agent does not answer a contact after a human agent wrote to them, in minutes */
      pause_minutes?: number;
      /** @description Receives a POST when the session is down, the number is locked, or a conversation waits for a person */
      alert_url?: string;
      /** @description Minutes that the session is down before Parley posts to alert_url */
      alert_after_minutes?: number;
      /** @description Messages of one contact per minute. Further messages are answered together once the minute is over. Null: no limit */
      contact_messages_per_minute?: number | null;
      /** @description Messages of all contacts together per minute, with the same effect. Null: no limit */
      channel_messages_per_minute?: number | null;
      /** @description Answers to one contact per day (UTC). Further messages are stored without an answer. Null: no limit */
      contact_answers_per_day?: number | null;
      /** @description Answers to all contacts together per day (UTC), with the same effect. Null: no limit */
      channel_answers_per_day?: number | null;
      /** @description Pauses the agent for a contact that wrote this many times in a row within loop_seconds of an answer, because it is probably a bot. Null: never */
      loop_rounds?: number | null;
      /** @description Seconds after an answer within which a message counts for loop_rounds */
      loop_seconds?: number;
      /** @description The limits that took effect within the last day; absent if none did */
      limited?: components['schemas']['ChannelLimited'][];
    };
    /** @description Another agent that is connected with the same number */
    ChannelSharedWith: {
      /**
       * Format: uuid
       * @description The other agent
       */
      agent_id: string;
      /** @description Name of the other agent */
      agent_name: string;
    };
    /** @description A limit that took effect */
    ChannelLimited: {
      /** @description Name of the limit: contact_minute, channel_minute, contact_day, channel_day or loop */
      limit: string;
      /** @description Number of messages that the limit affected; counted up to 1,000 */
      messages: number;
      /**
       * Format: date-time
       * @description When the limit last took effect
       */
      last_at: string;
    };
    /** @description The gateway instance to connect */
    ConnectChannel: {
      /**
       * Format: uri
       * @description Address of the gateway instance: https, usually without a path; a trailing slash is removed
       */
      base_url: string;
      /** @description Token of the instance, from the gateway's dashboard */
      instance_token: string;
      /** @description True to move the number from the agents that use it to this one. Without it, the call is refused with number_in_use */
      take_over?: boolean;
    };
    /** @description The fields to change; absent fields stay as they are */
    EditChannel: {
      /**
       * Format: uri
       * @description Address of the gateway instance: https, usually without a path; a trailing slash is removed
       */
      base_url?: string;
      /** @description Token of the instance, from the gateway's dashboard */
      instance_token?: string;
      /** @description True to move the number from the agents that use it to this one. Without it, the call is refused with number_in_use */
      take_over?: boolean;
      /** @description How long the agent does not answer a contact after a human agent wrote to them, in minutes */
      pause_minutes?: number;
      /** @description Receives a POST when the session has been down for long, WhatsApp forbids new chats (463), or a conversation waits for a person */
      alert_url?: string | null;
      /** @description Minutes that the session is down before Parley posts to alert_url */
      alert_after_minutes?: number;
      /** @description Messages of one contact per minute. Further messages are answered together once the minute is over. Null: no limit */
      contact_messages_per_minute?: number | null;
      /** @description Messages of all contacts together per minute, with the same effect. Null: no limit */
      channel_messages_per_minute?: number | null;
      /** @description Answers to one contact per day (UTC). Further messages are stored without an answer. Null: no limit */
      contact_answers_per_day?: number | null;
      /** @description Answers to all contacts together per day (UTC), with the same effect. Null: no limit */
      channel_answers_per_day?: number | null;
      /** @description Pauses the agent for a contact that wrote this many times in a row within loop_seconds of an answer, because it is probably a bot. Null: never */
      loop_rounds?: number | null;
      /** @description Seconds after an answer within which a message counts for loop_rounds */
      loop_seconds?: number;
    };
    /** @description Body of a request to alert_url */
    AlertPayload:
      | components['schemas']['ChannelSessionDown']
      | components['schemas']['ChannelTimelocked']
      | components['schemas']['ConversationWaiting'];
    /** @description Posted to alert_url when a channel's session has been down for long */
    ChannelSessionDown: {
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'channel.session_down';
      /**
       * Format: uuid
       * @description The channel's agent
       */
      agent_id: string;
      /** @description The session's status, as the gateway last reported it */
      status: string;
      /** @description The reason, if the gateway gives one */
      reason?: string;
      /**
       * Format: date-time
       * @description When the session was first found down
       */
      down_since: string;
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description Posted to alert_url when WhatsApp forbids the number to start new chats */
    ChannelTimelocked: {
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'channel.timelocked';
      /**
       * Format: uuid
       * @description The channel's agent
       */
      agent_id: string;
      /** @description The reason, as the gateway reported it */
      reason: string;
      /**
       * Format: date-time
       * @description The number may not start new chats before this time
       */
      until: string;
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description Posted to alert_url or, if there is none, to webhook endpoints with `waiting_alerts`, when a conversation begins to wait for a person, once for each wait */
    ConversationWaiting: {
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'conversation.waiting';
      /**
       * Format: uuid
       * @description The conversation's agent
       */
      agent_id: string;
      /**
       * Format: uuid
       * @description The conversation
       */
      conversation_id: string;
      /**
       * @description Where the contact writes
       * @enum {string}
       */
      channel: 'api' | 'whatsapp';
      /**
       * @description Why it began to wait. message: a message that no agent answers; hand_over: the agent handed it over
       * @enum {string}
       */
      reason: 'message' | 'hand_over';
      /**
       * Format: date-time
       * @description When the conversation began to wait
       */
      waiting_since: string;
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description The webhook's set-up at the gateway */
    WebhookCheck: {
      /** @description True if the webhook has every required setting */
      matches: boolean;
      /** @description Each setting that differs from the required value */
      differences: components['schemas']['WebhookDifference'][];
    };
    /** @description A setting at the gateway that differs from the required value */
    WebhookDifference: {
      /** @description Name of the setting at the gateway */
      setting: string;
      /** @description Required value */
      expected: string;
      /** @description Current value */
      actual: string;
    };
    /** @description A new webhook secret */
    RenewedWebhook: {
      /** @description The new URL to which the gateway must post its events */
      webhook_url: string;
      /**
       * Format: date-time
       * @description Events at the previous URL are also accepted until this time
       */
      previous_until: string;
      /** @description True if Parley has set the new URL at the gateway; otherwise set it there before previous_until */
      is_set: boolean;
    };
    /** @description A test message to a phone that you can look at */
    SendHello: {
      /**
       * Format: uuid
       * @description Chosen by the caller. A call that repeats it within a day sends nothing and returns the first hello, so repeat a call without an answer with the same id
       */
      request_id: string;
      /** @description The phone number that receives it, with the country code; not the channel's own number */
      to: string;
    };
    /** @description A test message of a WhatsApp channel */
    ChannelHello: {
      /**
       * Format: uuid
       * @description The id that the caller chose
       */
      request_id: string;
      /** @description The phone number: digits with country code */
      to: string;
      /**
       * @description sending: in progress; sent: the gateway accepted it; arrived: confirmed, see arrived_by; unknown: it may have been sent; failed: it was not sent, or WhatsApp did not deliver it. It is never sent again
       * @enum {string}
       */
      status: 'sending' | 'sent' | 'arrived' | 'unknown' | 'failed';
      /**
       * Format: date-time
       * @description When Parley began to send it
       */
      sent_at: string;
      /**
       * Format: date-time
       * @description When its arrival was confirmed
       */
      arrived_at?: string;
      /**
       * @description How its arrival was confirmed. event: the gateway posted the message's own event; reply: the gateway posted a message from that number; gateway: the gateway reports it as delivered
       * @enum {string}
       */
      arrived_by?: 'event' | 'reply' | 'gateway';
      /** @description The problem, and what to do about it; absent if there is none */
      problem?: components['schemas']['ChannelHelloProblem'];
    };
    /** @description One page of a list */
    ChannelEventList: {
      /** @description Rows of this page */
      data: components['schemas']['ChannelEvent'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A message that the gateway delivered, and its outcome */
    ChannelEvent: {
      /**
       * Format: uuid
       * @description Identifier of the event
       */
      id: string;
      /**
       * @description accepted: will be answered; stored: stored without an answer; edited: changed an earlier message; takeover: a human agent wrote on the phone; approval: a reply about a tool call that waits for approval; ignored: not stored in any conversation
       * @enum {string}
       */
      outcome: 'accepted' | 'stored' | 'edited' | 'takeover' | 'approval' | 'ignored';
      /** @description Why it was ignored or stored without an answer, or which limit delayed its answer */
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
      /** @description Text of the message, 1 to 32,000 characters; may be empty only with attachments */
      message?: string;
      /**
       * @description true: this call waits for the answer and returns it
       * @default false
       */
      sync?: boolean;
      /**
       * Format: uri
       * @description Callback destination: an absolute http or https URL
       */
      webhook_url?: string;
      /** @description Your own metadata, returned unchanged in the callback */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: uuid
       * @description Continues this conversation, which must have been started with the same {id}. Without it and without contact, a new conversation starts
       */
      conversation_id?: string;
      /** @description Your own key for the end user: continues the conversation of this contact, or starts it */
      contact?: components['schemas']['ContactKey'];
      /** @description Files of the message, by URL or content */
      attachments?: components['schemas']['Attachment'][];
      /** @description true: begins a test conversation that the agent's draft answers, as it is now. A token also needs the scope agents.manage */
      draft?: boolean;
      /** @description true: begins a test conversation that the agent's candidate answers while it is the candidate, and the published version afterwards. A token also needs the scope agents.manage */
      candidate?: boolean;
      /** @description true: begins a test conversation in which no tool changes data. Calls of tools that may change data, or that a person must approve, are not executed, and the agent answers as if they had succeeded */
      read_only?: boolean;
    };
    /** @description Any JSON object, returned unchanged in the callback; at most 16 KiB as JSON and 10 levels */
    Metadata: {
      [key: string]: unknown;
    };
    /** @description Your own key for the end user */
    ContactKey: {
      /** @description Your own id of the user */
      id: string;
      /** @description Display name */
      name?: string;
    };
    /** @description A file, given by its URL or its content */
    Attachment: components['schemas']['AttachmentUrl'] | components['schemas']['AttachmentContent'];
    /** @description A file, given by its URL */
    AttachmentUrl: {
      /**
       * Format: uri
       * @description Public https URL, which Parley fetches
       */
      url: string;
      /** @description Name of the file for the model and in the history */
      filename?: string;
      /** @description Media type, such as image/png */
      content_type?: string;
    };
    /** @description A file, given by its content */
    AttachmentContent: {
      /** @description Content of the file as base64 */
      content_base64: string;
      /** @description Name of the file for the model and in the history */
      filename?: string;
      /** @description Media type, such as image/png */
      content_type?: string;
    };
    /** @description Answer to a synchronous call */
    ChatAnswer: {
      /** @description Always true */
      success: boolean;
      /**
       * Format: uuid
       * @description The conversation of the message
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description The agent that answered
       */
      agent_id: string;
      /**
       * Format: uuid
       * @description Id of the answer in the history; absent if the response is empty
       */
      message_id?: string;
      /** @description Text of the answer; after a transfer, the last agent's */
      response: string;
      /** @description The answer as JSON; absent if the agent has no output schema */
      output?: components['schemas']['Output'];
      /** @description The model that the provider reports */
      model: string;
      /** @description Cost of the run */
      credits_used: number;
      /** @description Number of files in the answered message */
      attachments_processed: number;
      /** @description Name of the agent that answered */
      responding_agent_name: string;
      /** @description Your own metadata, returned unchanged in the callback */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the answer was assembled, ISO 8601 in UTC
       */
      timestamp: string;
      /** @description All messages of the run, in order; the fields above describe the last one */
      messages: components['schemas']['AnswerMessage'][];
    };
    /** @description The answer as a JSON object that fits the `output_schema` of the agent; absent if it has none */
    Output: {
      [key: string]: unknown;
    };
    /** @description A message of the run */
    AnswerMessage: {
      /**
       * Format: uuid
       * @description Id of the message in the history
       */
      message_id: string;
      /**
       * Format: uuid
       * @description The agent that wrote the message
       */
      agent_id: string;
      /** @description Name of the agent that wrote the message */
      responding_agent_name: string;
      /** @description Text of the message */
      response: string;
      /** @description The answer as JSON; absent if the agent has no output schema */
      output?: components['schemas']['Output'];
      /** @description True if the message was written before a transfer */
      pre_transfer?: boolean;
    };
    /** @description One event of a streamed call; `event` is its kind */
    StreamEvent:
      | components['schemas']['StreamEventAccepted']
      | components['schemas']['StreamEventDelta']
      | components['schemas']['StreamEventRestart']
      | components['schemas']['StreamEventToolCall']
      | components['schemas']['StreamEventTransfer']
      | components['schemas']['StreamEventCompleted']
      | components['schemas']['StreamEventFailed'];
    /** @description The message is stored durably */
    Acknowledgement: {
      /**
       * @description processing: the message is answered separately; debounced: it waits for the agent's grouping window, and is answered together with the other messages in it; paused: a person has taken over the conversation, so the message is stored for them and the agent does not answer it
       * @enum {string}
       */
      status: 'processing' | 'debounced' | 'paused';
      /**
       * Format: uuid
       * @description The conversation of the message
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description The group of the message; present only if status is debounced
       */
      group_id?: string;
    };
    /** @description Body of a request to webhook_url */
    CallbackPayload:
      | components['schemas']['MessageCompleted']
      | components['schemas']['MessageError']
      | components['schemas']['ApprovalRequested'];
    /** @description Posted to webhook_url when an agent, or a person who has taken over, has answered */
    MessageCompleted: {
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'message.completed';
      /**
       * Format: uuid
       * @description The agent that wrote the message, or for which a person wrote it
       */
      agent_id: string;
      /** @description Always true */
      success: boolean;
      /**
       * Format: uuid
       * @description The conversation; GET /conversations/{conversationId}/messages returns the message
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description Id of the agent's message: use it to process each callback once. Absent if there is no message, as for an empty response
       */
      message_id?: string;
      /** @description The text of the message */
      response: string;
      /** @description The answer as JSON; absent if the agent has no output schema */
      output?: components['schemas']['Output'];
      /** @description The model that the provider reports */
      model?: string;
      /** @description Cost of the run */
      credits_used?: number;
      /** @description Number of files in the answered messages */
      attachments_processed?: number;
      /** @description Name of the agent or the person that wrote the message */
      responding_agent_name: string;
      /** @description The caller's metadata, unchanged */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
      /** @description True for the first of the two callbacks of a transfer; the agent that took over sends the second */
      pre_transfer?: boolean;
      /** @description True for a follow-up, which no user message asked for */
      followup?: boolean;
      /** @description Number of the follow-up, from 1 */
      followup_attempt?: number;
      /** @description True if a person who has taken over the conversation wrote it */
      by_person?: boolean;
    };
    /** @description Posted to webhook_url when a run has failed permanently */
    MessageError: {
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
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
       * @description The conversation of the unanswered messages
       */
      conversation_id: string;
      /** @description The reason, as a sentence for people */
      error: string;
      /**
       * @description credit_cap_reached: a cap on credits left no room for a call of the run. output_invalid: the answer does not fit the output schema of the agent. Absent if the run failed for another reason
       * @enum {string}
       */
      code?: 'credit_cap_reached' | 'output_invalid';
      /** @description The caller's metadata, unchanged */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description Posted to webhook_url when a tool call waits for the approval of a person */
    ApprovalRequested: {
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'approval.requested';
      /**
       * Format: uuid
       * @description The approval; POST /approvals/{id} decides it
       */
      approval_id: string;
      /**
       * Format: uuid
       * @description The agent whose model called the tool
       */
      agent_id: string;
      /**
       * Format: uuid
       * @description The conversation, whose run waits
       */
      conversation_id: string;
      /** @description Name of the tool */
      tool: string;
      /** @description The arguments of the call. If it is approved, it is executed with these */
      arguments: unknown;
      /** @description SHA-256 of the tool and the arguments */
      arguments_hash: string;
      /**
       * Format: date-time
       * @description Until when it can be decided
       */
      expires_at: string;
      /**
       * @description What happens if nobody decides in time
       * @enum {string}
       */
      on_expiry: 'refuse' | 'approve';
      /** @description The caller's metadata, unchanged */
      metadata?: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description When the payload was assembled, ISO 8601 in UTC
       */
      timestamp: string;
    };
    /** @description The models */
    OpenAiModelList: {
      /**
       * @description Always list
       * @enum {string}
       */
      object: 'list';
      /** @description All active agents that the token may reach, oldest first */
      data: components['schemas']['OpenAiModel'][];
    };
    /** @description An active agent, as a model */
    OpenAiModel: {
      /**
       * Format: uuid
       * @description Identifier of the agent: the `model` of a call
       */
      id: string;
      /**
       * @description Always model
       * @enum {string}
       */
      object: 'model';
      /** @description When the agent was created, in seconds since 1970 */
      created: number;
      /** @description Identifier of your organization */
      owned_by: string;
      /** @description Name of the agent */
      name: string;
    };
    /**
     * @description A chat completion. Parameters that tune a model (temperature, top_p, max_tokens …) are ignored, because the agent has a model and settings of its own. Others that Parley does not have are refused with 400. docs/api.md lists both.
     * @example {
     *       "model": "01a1fecb-fb1c-7764-ab34-8f2d3b103954",
     *       "messages": [
     *         {
     *           "role": "user",
     *           "content": "Hello"
     *         }
     *       ]
     *     }
     */
    OpenAiChatRequest: {
      /** @description Identifier of an agent or of an API inbox */
      model: string;
      /** @description The last message must be from the user, and the agent answers it. In a new conversation, the messages before it are the earlier turns */
      messages: components['schemas']['OpenAiMessage'][];
      /** @description true: the answer comes as server-sent events */
      stream?: boolean;
      /** @description Only with stream */
      stream_options?: components['schemas']['OpenAiChatRequestStreamOptions'];
      /** @description Your own metadata. `conversation_id` continues that conversation; `contact_id`, your own key for the end user, continues the conversation of that user. With either, send only the new message */
      metadata?: components['schemas']['Metadata'];
    };
    /** @description A turn of the conversation */
    OpenAiMessage: {
      /**
       * @description Whose turn it is
       * @enum {string}
       */
      role: 'system' | 'developer' | 'user' | 'assistant';
      /** @description Text, or parts; only the last message may have images and files */
      content?: components['schemas']['OpenAiMessageContent'];
    };
    /** @description A part of a message */
    OpenAiPart:
      | components['schemas']['OpenAiTextPart']
      | components['schemas']['OpenAiImagePart']
      | components['schemas']['OpenAiFilePart'];
    /** @description A text */
    OpenAiTextPart: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'text';
      /** @description The text */
      text: string;
    };
    /** @description An image */
    OpenAiImagePart: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'image_url';
      /** @description The image */
      image_url: components['schemas']['OpenAiImagePartImageUrl'];
    };
    /** @description A file */
    OpenAiFilePart: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'file';
      /** @description The file */
      file: components['schemas']['OpenAiFilePartFile'];
    };
    /** @description A chat completion */
    OpenAiCompletion: {
      /** @description Identifier of the completion */
      id: string;
      /**
       * @description Always chat.completion
       * @enum {string}
       */
      object: 'chat.completion';
      /** @description When the message was accepted, in seconds since 1970 */
      created: number;
      /** @description The `model` of the request */
      model: string;
      /** @description One choice */
      choices: components['schemas']['OpenAiChoice'][];
      /** @description Tokens that the run used, as its providers report them */
      usage: components['schemas']['OpenAiCompletionUsage'];
      /** @description Where Parley stored the message and its answer */
      parley: components['schemas']['OpenAiCompletionParley'];
    };
    /** @description The one answer */
    OpenAiChoice: {
      /** @description Always 0 */
      index: number;
      /** @description The answer */
      message: components['schemas']['OpenAiChoiceMessage'];
      /** @description Always null */
      logprobs: string | null;
      /**
       * @description length: a limit of the model cut the answer off
       * @enum {string}
       */
      finish_reason: 'stop' | 'length';
    };
    /**
     * @description A message for an agent. Parameters that tune a model (temperature, top_p, max_tokens …) are ignored, because the agent has a model and settings of its own. Others that Parley does not have are refused with 400. docs/api.md lists both.
     * @example {
     *       "model": "01a1fecb-fb1c-7764-ab34-8f2d3b103954",
     *       "input": "Hello"
     *     }
     */
    OpenAiResponseRequest: {
      /** @description Identifier of an agent or of an API inbox */
      model: string;
      /** @description The message; or turns, of which the last must be from the user. In a new conversation, the turns before it are the earlier turns */
      input: components['schemas']['OpenAiResponseRequestInput'];
      /** @description Instructions of your program, in addition to the agent's own: part of the earlier turns */
      instructions?: string;
      /** @description Continues the conversation of this response, which must be its last one */
      previous_response_id?: string;
      /** @description Continues this conversation: the `conversation` of a response */
      conversation?: components['schemas']['OpenAiResponseRequestConversation'];
      /** @description true: the answer comes as server-sent events */
      stream?: boolean;
      /** @description Only with stream */
      stream_options?: components['schemas']['OpenAiResponseRequestStreamOptions'];
      /** @description Your own metadata. `contact_id`, your own key for the end user, continues the conversation of that user */
      metadata?: components['schemas']['Metadata'];
    };
    /** @description A turn of the conversation */
    OpenAiItem: {
      /**
       * @description Kind of the item
       * @enum {string}
       */
      type?: 'message';
      /**
       * @description Whose turn it is
       * @enum {string}
       */
      role: 'system' | 'developer' | 'user' | 'assistant';
      /** @description Text, or parts; only the last item may have images and files */
      content?: components['schemas']['OpenAiItemContent'];
      /** @description Ignored: the id of an earlier output */
      id?: string;
      /** @description Ignored: the status of an earlier output */
      status?: string;
      /** @description Ignored: the phase of an earlier output */
      phase?: string;
    };
    /** @description A part of a message */
    OpenAiInputPart:
      | components['schemas']['OpenAiInputText']
      | components['schemas']['OpenAiOutputText']
      | components['schemas']['OpenAiInputImage']
      | components['schemas']['OpenAiInputFile'];
    /** @description A text */
    OpenAiInputText: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'input_text';
      /** @description The text */
      text: string;
    };
    /** @description A text of an earlier response */
    OpenAiOutputText: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'output_text';
      /** @description The text */
      text: string;
    };
    /** @description An image */
    OpenAiInputImage: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'input_image';
      /** @description Public https URL, or a data URL with base64 */
      image_url: string;
      /** @description Ignored */
      detail?: string;
    };
    /** @description A file */
    OpenAiInputFile: {
      /**
       * @description Kind of the part (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'input_file';
      /** @description Data URL with base64 */
      file_data?: string;
      /** @description Public https URL */
      file_url?: string;
      /** @description Name of the file */
      filename?: string;
    };
    /** @description A conversation */
    OpenAiConversation: {
      /** @description Identifier of the conversation */
      id: string;
    };
    /** @description The answer to a message */
    OpenAiResponse: {
      /** @description Identifier of the response: the previous_response_id of the next call */
      id: string;
      /**
       * @description Always response
       * @enum {string}
       */
      object: 'response';
      /** @description When the message was accepted, in seconds since 1970 */
      created_at: number;
      /**
       * @description incomplete: a limit of the model cut the answer off
       * @enum {string}
       */
      status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
      /** @description Why the stream failed, if it did */
      error: components['schemas']['OpenAiResponseError1'] | null;
      /** @description Why the response is incomplete, if it is */
      incomplete_details: components['schemas']['OpenAiResponseIncompleteDetailsMaxOutputTokens'] | null;
      /** @description The `model` of the request */
      model: string;
      /** @description The answer; empty until it begins */
      output: components['schemas']['OpenAiOutput'][];
      /** @description The previous_response_id of the request */
      previous_response_id: string | null;
      /** @description Where Parley stored the message and its answer */
      conversation: components['schemas']['OpenAiResponseConversation'];
      /** @description The metadata of the request */
      metadata: components['schemas']['Metadata'];
      /** @description Always false */
      parallel_tool_calls: boolean;
      /**
       * @description Always auto
       * @enum {string}
       */
      tool_choice: 'auto';
      /** @description Always empty: the agent's own tools are not listed */
      tools: string[];
      /** @description The tokens; null until the run has ended */
      usage: components['schemas']['OpenAiResponseUsage1'] | null;
    };
    /** @description The answer */
    OpenAiOutput: {
      /**
       * @description Always message
       * @enum {string}
       */
      type: 'message';
      /** @description Identifier of the output */
      id: string;
      /**
       * @description State of the output
       * @enum {string}
       */
      status: 'in_progress' | 'completed' | 'incomplete';
      /**
       * @description Always assistant
       * @enum {string}
       */
      role: 'assistant';
      /** @description The text */
      content: components['schemas']['OpenAiAnswerText'][];
    };
    /** @description The text of the answer */
    OpenAiAnswerText: {
      /**
       * @description Always output_text
       * @enum {string}
       */
      type: 'output_text';
      /** @description All texts that agents wrote in the run, with an empty line between them */
      text: string;
      /** @description Always empty */
      annotations: string[];
    };
    /** @description One page of a list */
    ConversationList: {
      /** @description Rows of this page */
      data: components['schemas']['Conversation'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A conversation between an end user and agents */
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
       * @description The agent or inbox identifier with which it was started
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
       * @description The conversation in which the same contact writes now, after their number and LID proved to be one person
       */
      continued_by?: string;
      /**
       * Format: date-time
       * @description A takeover is active: the agent does not answer before this time
       */
      paused_until?: string;
      /**
       * @description Where the human agent took over; loop: the contact answered like a bot; agent: the agent handed over to a person
       * @enum {string}
       */
      paused_by?: 'phone' | 'console' | 'api' | 'loop' | 'agent';
      /** @description Name of the human agent, if the takeover was made in the console */
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
    /** @description The messages that were cancelled */
    Cancelled: {
      /**
       * Format: uuid
       * @description The conversation
       */
      conversation_id: string;
      /** @description The messages that will not be answered, in order */
      cancelled: string[];
    };
    /** @description How the new answer is returned */
    RegenerateAnswer: {
      /**
       * @description true: this call waits for the answer and returns it
       * @default false
       */
      sync?: boolean;
    };
    /** @description Length of the pause */
    PauseConversation: {
      /** @description Length of the pause in minutes. Default: the channel's pause_minutes; without a channel, 720 */
      minutes?: number;
    };
    /** @description One page of a list */
    MessageList: {
      /** @description Rows of this page */
      data: components['schemas']['Message'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A message of a conversation; `role` is its author */
    Message: components['schemas']['UserMessage'] | components['schemas']['AgentMessage'];
    /** @description A message of the end user */
    UserMessage: {
      /**
       * Format: uuid
       * @description Identifier of the message; for an agent's message also the message_id of its callback
       */
      id: string;
      /**
       * Format: uuid
       * @description The conversation of the message
       */
      conversation_id: string;
      /** @description Text of the message */
      text: string;
      /** @description Files of the message */
      attachments: components['schemas']['MessageAttachment'][];
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * @description Author of the message (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      role: 'user';
      /**
       * @description State of the message
       * @enum {string}
       */
      status: 'queued' | 'processing' | 'answered' | 'failed' | 'cancelled';
      /**
       * @description Why the agent does not answer it. paused: a takeover was active; stale: it was a day old when it arrived; contact_day, channel_day, loop: a limit of the channel
       * @enum {string}
       */
      unanswered?: 'paused' | 'stale' | 'contact_day' | 'channel_day' | 'loop';
      /** @description Earlier texts, oldest first, if the contact edited the message on WhatsApp; at most 20 */
      edits?: components['schemas']['MessageEdit'][];
      /**
       * Format: uuid
       * @description The group of the message; messages of one group are answered together
       */
      group_id?: string;
      /** @description The caller's metadata, unchanged */
      metadata?: components['schemas']['Metadata'];
      /** @description Turns before this message that the caller gave with it, oldest first: see POST /openai/chat/completions */
      earlier_turns?: components['schemas']['EarlierTurn'][];
    };
    /** @description A file of a message */
    MessageAttachment: {
      /**
       * Format: uuid
       * @description Identifier of the file
       */
      id: string;
      /** @description The given name, or the name that its server sent */
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
    /** @description An earlier text of a message */
    MessageEdit: {
      /** @description The text before the edit */
      text: string;
      /**
       * Format: date-time
       * @description When Parley received the edit
       */
      replaced_at: string;
    };
    /** @description A turn before a message, as its caller gave it */
    EarlierTurn: {
      /**
       * @description Whose turn it was; context: instructions of the calling program
       * @enum {string}
       */
      role: 'user' | 'agent' | 'context';
      /** @description Text of the turn */
      text: string;
    };
    /** @description A message of an agent, or of a human agent who took over */
    AgentMessage: {
      /**
       * Format: uuid
       * @description Identifier of the message; for an agent's message also the message_id of its callback
       */
      id: string;
      /**
       * Format: uuid
       * @description The conversation of the message
       */
      conversation_id: string;
      /** @description Text of the message */
      text: string;
      /** @description Files of the message */
      attachments: components['schemas']['MessageAttachment'][];
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * @description Author of the message (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      role: 'agent';
      /**
       * Format: uuid
       * @description The agent that wrote the message
       */
      agent_id: string;
      /** @description Name of the agent at that time */
      responding_agent_name: string;
      /** @description Version of the agent that wrote it; absent if a human agent did, or if it was not recorded */
      agent_version?: number;
      /** @description The answer as JSON; absent if the agent has no output schema */
      output?: components['schemas']['Output'];
      /** @description The model that the provider reports */
      model?: string;
      /** @description Present if the fallback model of the agent wrote it */
      fallback?: components['schemas']['FallbackUsed'];
      /** @description Cost of the run */
      credits_used?: number;
      /** @description The user messages that it answers */
      in_reply_to: string[];
      /** @description True if the message was written before a transfer */
      pre_transfer?: boolean;
      /** @description True for a follow-up, which no user message asked for */
      followup?: boolean;
      /** @description Number of the follow-up, from 1 */
      followup_attempt?: number;
      /** @description True if a regenerated answer has replaced it */
      replaced?: boolean;
      /** @description True if the model was cut off by its token limit or its provider's filter */
      truncated?: boolean;
      /** @description True if a human agent wrote it */
      by_person?: boolean;
      /** @description Outcome of its callback or channel reply; absent if it has neither */
      delivery?: components['schemas']['AgentMessageDelivery'];
    };
    /** @description Why an agent's fallback model answered */
    FallbackUsed: {
      /** @description provider/name of the fallback model, which answered */
      model: string;
      /** @description provider/name of the agent's model */
      failed_model: string;
      /** @description Why the agent's model did not answer, as a sentence for people */
      reason: string;
    };
    /** @description A human agent's message to the contact */
    WriteAsPerson: {
      /**
       * @description Text of the message; may be empty only with attachments
       * @default
       */
      text?: string;
      /**
       * @description Files of the message
       * @default []
       */
      attachments?: components['schemas']['AttachmentContent'][];
      /** @description Length of the pause in minutes. Default: the channel's pause_minutes; without a channel, 720 */
      pause_minutes?: number;
    };
    /** @description One page of a list */
    ApprovalList: {
      /** @description Rows of this page */
      data: components['schemas']['Approval'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A tool call that a person must approve before it is executed */
    Approval: {
      /**
       * Format: uuid
       * @description Identifier of the approval
       */
      id: string;
      /**
       * @description waiting: nobody has decided. approved: the call is about to be executed. executed: the tool has returned a result or an error. refused, expired: the tool was not called. unknown: the tool was called, and the outcome was lost; it is not called again
       * @enum {string}
       */
      status: 'waiting' | 'approved' | 'executed' | 'refused' | 'expired' | 'unknown';
      /**
       * Format: uuid
       * @description The agent whose model called the tool
       */
      agent_id: string;
      /** @description Name of the agent */
      agent_name: string;
      /**
       * Format: uuid
       * @description The conversation whose run waits
       */
      conversation_id: string;
      /** @description The end user; absent if the conversation names none */
      contact?: components['schemas']['ConversationContact'];
      /** @description The end user's last message of the run, its first 500 characters; absent if there is none */
      customer_message?: string;
      /** @description Name of the tool */
      tool: string;
      /** @description Description of the HTTP tool with this name, as it is now; absent if there is none */
      tool_description?: string;
      /** @description The arguments of the call. If it is approved, it is executed with these */
      arguments: unknown;
      /** @description By name, the arguments of the call to which the JSON Schema of the tool, as it is now, gives a title or a precision; absent if there are none */
      argument_schemas?: {
        [key: string]: components['schemas']['ArgumentSchema'];
      };
      /** @description SHA-256 of the tool and the arguments, which is compared when the call is executed */
      arguments_hash: string;
      /**
       * Format: date-time
       * @description When the model called the tool
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description Until when it can be decided
       */
      expires_at: string;
      /**
       * @description What happens if nobody decides in time
       * @enum {string}
       */
      on_expiry: 'refuse' | 'approve';
      /**
       * Format: date-time
       * @description When it was decided or expired
       */
      decided_at?: string;
      /** @description Absent while it waits */
      decided_by?: components['schemas']['ApprovalDecidedBy'];
      /** @description The note of the person, or why Parley ended it */
      note?: string;
      /** @description The people who are asked on WhatsApp; absent if the version of the agent names none */
      asked?: components['schemas']['AskedApprover'][];
      /**
       * Format: date-time
       * @description When the tool had returned, or the call was refused
       */
      finished_at?: string;
    };
    /** @description How people read an argument of a tool call */
    ArgumentSchema: {
      /** @description Name of the argument for people, its first 100 characters */
      title?: string;
      /** @description Precision of a number; 0.01: people read it with two decimals */
      multipleOf?: number;
    };
    /** @description The message that asks a person on WhatsApp */
    AskedApprover: {
      /** @description Name of the person, with which a decision is recorded */
      name: string;
      /** @description WhatsApp number of the person: + and 8 to 15 digits, with the country code */
      phone: string;
      /**
       * @description pending: not sent yet. sent: the gateway has accepted it. unknown: it may have arrived; it is not sent again. failed: it was not sent
       * @enum {string}
       */
      status: 'pending' | 'sent' | 'unknown' | 'failed';
      /** @description Why it was not sent, or may not have arrived */
      error?: string;
    };
    /**
     * @description A decision on a tool call
     * @example {
     *       "decision": "refuse",
     *       "note": "Ask for the order number first."
     *     }
     */
    DecideApproval: {
      /**
       * @description approve executes the call, once; refuse does not
       * @enum {string}
       */
      decision: 'approve' | 'refuse';
      /** @description The model reads the note of a refusal */
      note?: string;
    };
    /** @description One page of a list */
    DeliveryList: {
      /** @description Rows of this page */
      data: components['schemas']['Delivery'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A callback, a channel reply or an alert, and its outcome. A callback or an alert is attempted once */
    Delivery: {
      /**
       * Format: uuid
       * @description Identifier of the delivery
       */
      id: string;
      /**
       * @description Kind of the event
       * @enum {string}
       */
      event:
        | 'message.completed'
        | 'message.error'
        | 'approval.requested'
        | 'channel.session_down'
        | 'channel.timelocked'
        | 'conversation.waiting';
      /** @description The URL to which it is posted; for a reply on WhatsApp, `whatsapp:` and the contact's number or LID */
      url: string;
      /**
       * @description pending: not started; attempting: in progress; delivered: answered with 2xx; failed: any other response, or none in time; blocked: the address is not allowed; unknown: a process died during the attempt, so it may have arrived. Parley does not send it again, unless POST /deliveries/{id}/resend asks for it
       * @enum {string}
       */
      status: 'pending' | 'attempting' | 'delivered' | 'failed' | 'blocked' | 'unknown';
      /** @description Status of the response; absent if there was none */
      http_status?: number;
      /** @description Body of the response, cut to 5,000 characters */
      response_body?: string;
      /** @description Why it failed or was blocked; for a pending delivery, the reason why it waits */
      error?: string;
      /**
       * Format: uuid
       * @description The conversation; absent for an alert
       */
      conversation_id?: string;
      /**
       * Format: uuid
       * @description For an alert: its agent
       */
      agent_id?: string;
      /**
       * Format: uuid
       * @description The delivered message
       */
      message_id?: string;
      /** @description Version of the agent whose message or failure it reports; absent if it was not recorded */
      agent_version?: number;
      /**
       * Format: date-time
       * @description When its only attempt started; for a channel reply, when the last attempt of its first part started
       */
      attempted_at?: string;
      /** @description Milliseconds from the look-up of the host to the last byte of the response */
      duration_ms?: number;
      /** @description True if the request was signed */
      signed?: boolean;
      /**
       * Format: uuid
       * @description The delivery that this one sends again, on purpose; absent for all others
       */
      resend_of?: string;
    };
    /** @description A delivery that sends a callback again */
    ResentDelivery: {
      /**
       * Format: uuid
       * @description Identifier of the new delivery
       */
      id: string;
      /**
       * Format: uuid
       * @description The delivery that is sent again
       */
      resend_of: string;
      /**
       * @description The new delivery waits to be sent
       * @enum {string}
       */
      status: 'pending';
    };
    /** @description One page of a list */
    WebhookEndpointList: {
      /** @description Rows of this page */
      data: components['schemas']['WebhookEndpoint'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A receiver whose callbacks are signed */
    WebhookEndpoint: {
      /**
       * Format: uuid
       * @description Identifier of the endpoint
       */
      id: string;
      /** @description Callbacks to this URL and below its path are signed; the endpoint with the longest path counts */
      url: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When its secret was last rotated
       */
      rotated_at?: string;
      /**
       * Format: date-time
       * @description Until this time, callbacks also carry a signature of the previous secret
       */
      previous_until?: string;
      /** @description It also gets `conversation.waiting`, for agents whose channel has no alert_url or that have no channel */
      waiting_alerts?: boolean;
      /** @description The secret can no longer be decrypted. Callbacks fail until it is rotated */
      secret_lost?: boolean;
    };
    /** @description The receiver */
    AddWebhookEndpoint: {
      /**
       * Format: uri
       * @description http or https, without credentials, query and fragment
       */
      url: string;
    };
    /** @description An endpoint with its new secret */
    CreatedWebhookEndpoint: {
      /**
       * Format: uuid
       * @description Identifier of the endpoint
       */
      id: string;
      /** @description Callbacks to this URL and below its path are signed; the endpoint with the longest path counts */
      url: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When its secret was last rotated
       */
      rotated_at?: string;
      /**
       * Format: date-time
       * @description Until this time, callbacks also carry a signature of the previous secret
       */
      previous_until?: string;
      /** @description It also gets `conversation.waiting`, for agents whose channel has no alert_url or that have no channel */
      waiting_alerts?: boolean;
      /** @description The secret can no longer be decrypted. Callbacks fail until it is rotated */
      secret_lost?: boolean;
      /** @description The secret that signs: whsec_…. No other response contains it */
      secret: string;
    };
    /** @description What the endpoint gets besides callbacks */
    ChangeWebhookEndpoint: {
      /** @description True: the endpoint also gets `conversation.waiting`, once for each wait, when a conversation of an agent without an alert_url begins to wait for a person */
      waiting_alerts: boolean;
    };
    /** @description How the secret is rotated */
    RotateWebhookSecret: {
      /**
       * @description How long callbacks also carry the signature of the previous secret
       * @default 86400
       */
      overlap_seconds?: number;
    };
    /** @description Where the test callback goes */
    SendTestCallback: {
      /**
       * Format: uri
       * @description The receiver, as a webhook_url
       */
      url: string;
    };
    /** @description A sample callback and its outcome */
    TestCallback: {
      /**
       * Format: uuid
       * @description Identifier of the request; if it is signed, its webhook-id
       */
      id: string;
      /** @description The address that was called */
      url: string;
      /**
       * @description delivered: answered with 2xx; failed: any other outcome; blocked: nothing was sent
       * @enum {string}
       */
      outcome: 'delivered' | 'failed' | 'blocked';
      /** @description True if the URL belongs to an endpoint */
      signed: boolean;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      attempted_at: string;
      /** @description Milliseconds from the look-up to the last byte of the response */
      duration_ms?: number;
      /** @description Status of the response; absent if there was none */
      http_status?: number;
      /** @description The first 50 headers of the response */
      headers?: components['schemas']['ReceivedHeader'][];
      /** @description Body of the response, cut to 1,000 characters */
      response_body?: string;
      /** @description Why it failed or was blocked */
      error?: string;
      /** @description The body that was sent, or would have been */
      request_body: string;
    };
    /** @description A header of the response */
    ReceivedHeader: {
      /** @description In lower case */
      name: string;
      /** @description At most 300 characters */
      value: string;
    };
    /** @description One page of a list */
    ToolActionList: {
      /** @description Rows of this page */
      data: components['schemas']['ToolAction'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description An action that agents and API clients can run in a workspace */
    ToolAction: {
      /** @description Identifier of the action */
      action: string;
      /** @description What the action does, in one sentence */
      summary: string;
      /** @description JSON schema of its input */
      input_schema: {
        [key: string]: unknown;
      };
      /**
       * @description The action's effect on the workspace, which decides how it is retried
       * @enum {string}
       */
      effect: 'read' | 'idempotent_write' | 'create' | 'send_part' | 'generated_create' | 'multi_step';
      /** @description Present if another action should be used instead; this one still works */
      deprecated?: components['schemas']['ToolActionDeprecated'];
    };
    /**
     * @description Input of the action
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
       * @description The connection to use; required only if several workspaces are connected
       */
      connection_id?: string;
    };
    /** @description Result of an action */
    ToolActionResult: {
      /** @description Result of the action, as JSON text. */
      data: string;
      /** @description Error text when execution failed. */
      error?: string;
      /** @description Whether execution succeeded. */
      successful: boolean;
    };
    /** @description One page of a list */
    ToolConnectionList: {
      /** @description Rows of this page */
      data: components['schemas']['ToolConnection'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A connected document workspace */
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
       * @description needs_reconnect: the workspace refuses the stored credentials; connect it again. Parley also checks it again from time to time
       * @enum {string}
       */
      status: 'pending' | 'connected' | 'needs_reconnect';
      /** @description Name of the workspace; null while unknown */
      workspace_name: string | null;
      /** @description The workspace's own identifier; null while unknown */
      workspace_id: string | null;
      /** @description Name of the integration, to which the workspace attributes all changes */
      integration_name: string | null;
      /** @description Why the workspace last refused the connection */
      last_error?: string;
      /** @description What to do next; present only in the response to the connecting call */
      notice?: string;
      /**
       * Format: uri
       * @description OAUTH2 while pending: the address where a user must allow the connection
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
    /** @description Connects with an internal integration's token */
    ConnectToolByKey: {
      /**
       * @description Connects with an internal integration's token (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      auth: 'API_KEY';
      /** @description The internal integration's token, which begins with secret_ or ntn_. Stored encrypted */
      api_key: string;
    };
    /** @description Connects by a user's consent in the browser */
    ConnectToolByConsent: {
      /**
       * @description Connects by a user's consent in the browser (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      auth: 'OAUTH2';
    };
    /** @description One page of a list */
    HttpToolList: {
      /** @description Rows of this page */
      data: components['schemas']['HttpTool'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description An HTTP request that agents can make */
    HttpTool: {
      /**
       * Format: uuid
       * @description Identifier of the tool
       */
      id: string;
      /** @description Name by which agents and models call the tool; unique in the organization, and never changed */
      name: string;
      /** @description For the model: what the tool does, and when to use it */
      description: string;
      /**
       * @description HTTP method of the request
       * @enum {string}
       */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /** @description URL template, for example https://api.example.com/orders/{order_id}?lang={lang}. Each {name} is replaced by the argument of that name; allowed in the path and the query only */
      url: string;
      /** @description JSON Schema of the arguments, an object. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Only arguments that it names are sent: those that the URL does not name in the query of GET and DELETE, otherwise in a JSON body */
      parameters: {
        [key: string]: unknown;
      };
      /**
       * @description read: changes nothing and may be repeated after a failure. write and destructive: sent at most once
       * @enum {string}
       */
      effect: 'read' | 'write' | 'destructive';
      /** @description Time limit of one request in seconds, from the look-up of the name to the last byte */
      timeout_seconds: number;
      /** @description JSON pointers (RFC 6901) to the parts of a JSON answer that the model reads, for example /status; * matches every element of a list. Empty: the whole answer */
      answer_fields: string[];
      /** @description Maximum characters of the answer that the model reads; the rest is cut off */
      answer_max_chars: number;
      /** @description Names of the headers, without their values */
      headers: components['schemas']['HttpToolHeader'][];
      /** @description True if the stored values can no longer be decrypted: enter them again */
      headers_lost: boolean;
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
    /** @description A header without its value */
    HttpToolHeader: {
      /** @description Name of the header */
      name: string;
    };
    /**
     * @description A new HTTP tool
     * @example {
     *       "name": "find_order",
     *       "description": "Finds an order by its number.",
     *       "method": "GET",
     *       "url": "https://api.example.com/orders/{order_id}",
     *       "parameters": {
     *         "type": "object",
     *         "required": [
     *           "order_id"
     *         ],
     *         "properties": {
     *           "order_id": {
     *             "type": "string",
     *             "description": "Number of the order"
     *           }
     *         }
     *       },
     *       "headers": [
     *         {
     *           "name": "Authorization",
     *           "value": "Bearer sk-example"
     *         }
     *       ],
     *       "effect": "read"
     *     }
     */
    CreateHttpTool: {
      /** @description Name by which agents and models call the tool; unique in the organization, and never changed */
      name: string;
      /** @description For the model: what the tool does, and when to use it */
      description: string;
      /**
       * @description HTTP method of the request
       * @enum {string}
       */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /** @description URL template, for example https://api.example.com/orders/{order_id}?lang={lang}. Each {name} is replaced by the argument of that name; allowed in the path and the query only */
      url: string;
      /**
       * @description JSON Schema of the arguments, an object. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Only arguments that it names are sent: those that the URL does not name in the query of GET and DELETE, otherwise in a JSON body
       * @default {
       *       "type": "object",
       *       "properties": {}
       *     }
       */
      parameters?: {
        [key: string]: unknown;
      };
      /**
       * @description read: changes nothing and may be repeated after a failure. write and destructive: sent at most once
       * @enum {string}
       */
      effect: 'read' | 'write' | 'destructive';
      /**
       * @description Time limit of one request in seconds, from the look-up of the name to the last byte
       * @default 15
       */
      timeout_seconds?: number;
      /**
       * @description JSON pointers (RFC 6901) to the parts of a JSON answer that the model reads, for example /status; * matches every element of a list. Empty: the whole answer
       * @default []
       */
      answer_fields?: string[];
      /**
       * @description Maximum characters of the answer that the model reads; the rest is cut off
       * @default 8000
       */
      answer_max_chars?: number;
      /**
       * @description Headers of every request
       * @default []
       */
      headers?: components['schemas']['SetHttpToolHeader'][];
    };
    /** @description A header of every request of the tool */
    SetHttpToolHeader: {
      /** @description Name of the header, for example Authorization */
      name: string;
      /** @description Stored encrypted; no call returns it. If absent, the stored value of this name stays */
      value?: string;
    };
    /**
     * @description An OpenAPI document
     * @example {
     *       "document": "{\"openapi\":\"3.1.0\", …}"
     *     }
     */
    ReadOpenapi: {
      /** @description The document as JSON or YAML text, OpenAPI 3.0 or later */
      document: string;
      /** @description Base URL of the requests, for example https://api.example.com. Default: the document's first server */
      base_url?: string;
    };
    /** @description Operations of an OpenAPI document, as tools to create */
    OpenapiOperations: {
      /** @description Title of the document */
      title: string;
      /** @description Base URL with which the URL of each tool begins */
      base_url: string;
      /** @description Names of the headers that its security schemes require */
      headers: string[];
      /** @description At most 200 operations */
      operations: components['schemas']['OpenapiOperation'][];
    };
    /** @description An operation of the document */
    OpenapiOperation: {
      /** @description HTTP method */
      method: string;
      /** @description Path of the operation */
      path: string;
      /** @description What the operation does */
      summary: string;
      /** @description The tool to create; null if it cannot be one */
      tool: components['schemas']['HttpToolDraft'] | null;
      /** @description Why it cannot be a tool; null if it can */
      problem: string | null;
    };
    /** @description Fields of a new HTTP tool */
    HttpToolDraft: {
      /** @description Name by which agents and models call the tool; unique in the organization, and never changed */
      name: string;
      /** @description For the model: what the tool does, and when to use it */
      description: string;
      /**
       * @description HTTP method of the request
       * @enum {string}
       */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /** @description URL template, for example https://api.example.com/orders/{order_id}?lang={lang}. Each {name} is replaced by the argument of that name; allowed in the path and the query only */
      url: string;
      /** @description JSON Schema of the arguments, an object. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Only arguments that it names are sent: those that the URL does not name in the query of GET and DELETE, otherwise in a JSON body */
      parameters: {
        [key: string]: unknown;
      };
      /**
       * @description read: changes nothing and may be repeated after a failure. write and destructive: sent at most once
       * @enum {string}
       */
      effect: 'read' | 'write' | 'destructive';
    };
    /**
     * @description The fields to change; absent fields stay as they are. A new host in `url` requires the header values again
     * @example {
     *       "timeout_seconds": 30
     *     }
     */
    UpdateHttpTool: {
      /** @description For the model: what the tool does, and when to use it */
      description?: string;
      /**
       * @description HTTP method of the request
       * @enum {string}
       */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /** @description URL template, for example https://api.example.com/orders/{order_id}?lang={lang}. Each {name} is replaced by the argument of that name; allowed in the path and the query only */
      url?: string;
      /** @description JSON Schema of the arguments, an object. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Only arguments that it names are sent: those that the URL does not name in the query of GET and DELETE, otherwise in a JSON body */
      parameters?: {
        [key: string]: unknown;
      };
      /**
       * @description read: changes nothing and may be repeated after a failure. write and destructive: sent at most once
       * @enum {string}
       */
      effect?: 'read' | 'write' | 'destructive';
      /** @description Time limit of one request in seconds, from the look-up of the name to the last byte */
      timeout_seconds?: number;
      /** @description JSON pointers (RFC 6901) to the parts of a JSON answer that the model reads, for example /status; * matches every element of a list. Empty: the whole answer */
      answer_fields?: string[];
      /** @description Maximum characters of the answer that the model reads; the rest is cut off */
      answer_max_chars?: number;
      /** @description Headers of every request */
      headers?: components['schemas']['SetHttpToolHeader'][];
    };
    /**
     * @description Arguments of one call
     * @example {
     *       "input": {
     *         "order_id": "17"
     *       }
     *     }
     */
    RunHttpTool: {
      /** @description The tool's arguments, by its `parameters` */
      input: {
        [key: string]: unknown;
      };
    };
    /** @description Result of one call */
    HttpToolResult: {
      /**
       * @description unknown: the request was sent and may have been carried out, but its answer was lost. It is not sent again
       * @enum {string}
       */
      outcome: 'succeeded' | 'failed' | 'unknown';
      /** @description What a model reads */
      text: string;
    };
    /** @description One page of a list */
    McpServerList: {
      /** @description Rows of this page */
      data: components['schemas']['McpServer'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
    };
    /** @description A server of the Model Context Protocol */
    McpServer: {
      /**
       * Format: uuid
       * @description Identifier of the server
       */
      id: string;
      /** @description Part of the names of its tools: mcp_NAME_TOOL. Unique in the organization, and never changed */
      name: string;
      /** @description Address of the server */
      url: string;
      /**
       * @description How Parley signs in: not at all, with a header, or with tokens of OAuth 2.1, for which a person signs in at the server in the console
       * @enum {string}
       */
      auth: 'none' | 'header' | 'oauth';
      /** @description Name of the header, without its value */
      header_name: string | null;
      /** @description Authorization server at which a person has signed in; null if nobody has */
      issuer: string | null;
      /** @description Client that a person entered for the sign-in; null if Parley registered itself */
      client_id: string | null;
      /**
       * @description needs_header: the stored header can no longer be decrypted; enter it again. needs_sign_in: nobody has signed in at the server, or it no longer accepts the access; a person must sign in, in the console under Tools, MCP servers
       * @enum {string}
       */
      status: 'connected' | 'needs_header' | 'needs_sign_in';
      /** @description Time limit of one call in seconds, including the connection to the server */
      timeout_seconds: number;
      /** @description Maximum characters of a result that the model reads; the rest is cut off */
      answer_max_chars: number;
      /** @description The tools that agents can call, by name */
      tools: components['schemas']['McpTool'][];
      /** @description When the server's tools were last compared with the accepted ones */
      listed_at: string | null;
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
    /** @description A tool of an MCP server that agents can call */
    McpTool: {
      /** @description Name by which agents and models call the tool */
      name: string;
      /** @description Name by which the server knows it */
      remote_name: string;
      /** @description Description of the tool by its server */
      description: string;
      /** @description JSON Schema of the arguments */
      parameters: {
        [key: string]: unknown;
      };
      /** @description Identifies the description and the schema. Send it back to accept exactly the ones that you have read */
      digest: string;
      /**
       * @description As an administrator chose it. read may be repeated after a failure; write and destructive are sent at most once
       * @enum {string}
       */
      effect: 'read' | 'write' | 'destructive';
      /**
       * @description ready: models are offered it. changed: the server describes it differently now, and models are not offered it until the change is accepted. gone: the server no longer has it
       * @enum {string}
       */
      status: 'ready' | 'changed' | 'gone';
      /** @description The description and schema that the server has now, if they differ from the accepted ones */
      offered: components['schemas']['McpToolDefinition'] | null;
    };
    /** @description Description and schema of a tool, as the server has them */
    McpToolDefinition: {
      /** @description Description of the tool by its server */
      description: string;
      /** @description JSON Schema of the arguments */
      parameters: {
        [key: string]: unknown;
      };
      /** @description Identifies the description and the schema. Send it back to accept exactly the ones that you have read */
      digest: string;
    };
    /**
     * @description A new MCP server
     * @example {
     *       "name": "shop",
     *       "url": "https://mcp.example.com/mcp",
     *       "auth": "header",
     *       "header": {
     *         "name": "Authorization",
     *         "value": "Bearer sk-example"
     *       }
     *     }
     */
    CreateMcpServer: {
      /** @description Part of the names of its tools: mcp_NAME_TOOL. Unique in the organization, and never changed */
      name: string;
      /** @description Address of the server, for example https://mcp.example.com/mcp */
      url: string;
      /**
       * @description How Parley signs in: not at all, with a header, or with tokens of OAuth 2.1, for which a person signs in at the server in the console
       * @enum {string}
       */
      auth: 'none' | 'header' | 'oauth';
      /** @description Required if auth is header, refused otherwise */
      header?: components['schemas']['SetMcpHeader'];
      /**
       * @description Time limit of one call in seconds, including the connection to the server
       * @default 30
       */
      timeout_seconds?: number;
      /**
       * @description Maximum characters of a result that the model reads; the rest is cut off
       * @default 8000
       */
      answer_max_chars?: number;
    };
    /** @description A header of every request to the server */
    SetMcpHeader: {
      /** @description Name of the header, for example Authorization */
      name: string;
      /** @description Stored encrypted; no call returns it */
      value: string;
    };
    /**
     * @description The fields to change; absent fields stay as they are
     * @example {
     *       "timeout_seconds": 20
     *     }
     */
    UpdateMcpServer: {
      /** @description Time limit of one call in seconds, including the connection to the server */
      timeout_seconds?: number;
      /** @description Maximum characters of a result that the model reads; the rest is cut off */
      answer_max_chars?: number;
      /** @description Replaces the stored header; only for a server whose auth is header */
      header?: components['schemas']['SetMcpHeader'];
    };
    /** @description The tools that a server has now, and the server */
    McpOffer: {
      /** @description At most 200 tools */
      tools: components['schemas']['OfferedMcpTool'][];
      /** @description The server, with the tools that agents may call */
      server: components['schemas']['McpServer'];
    };
    /** @description A tool that the server has now */
    OfferedMcpTool: {
      /** @description Name by which the server knows it */
      remote_name: string;
      /** @description Name by which agents and models would call it */
      name: string;
      /** @description null if it cannot be used */
      definition: components['schemas']['McpToolDefinition'] | null;
      /** @description Why it cannot be used; null if it can */
      problem: string | null;
      /** @description Whether the tool only reads, as its server claims; the claim may be wrong */
      read_only_hint: boolean | null;
      /** @description Whether the tool is destructive, as its server claims; the claim may be wrong */
      destructive_hint: boolean | null;
    };
    /**
     * @description The tools of a server that agents may call
     * @example {
     *       "tools": [
     *         {
     *           "remote_name": "find-order",
     *           "digest": "0000000000000000000000000000000000000000000000000000000000000000",
     *           "effect": "read"
     *         }
     *       ]
     *     }
     */
    ChooseMcpTools: {
      /** @description All tools that agents may call; those that are absent are removed */
      tools: components['schemas']['ChosenMcpTool'][];
    };
    /** @description A tool that agents may call */
    ChosenMcpTool: {
      /** @description Name by which the server knows it */
      remote_name: string;
      /** @description Identifies the description and the schema. Send it back to accept exactly the ones that you have read */
      digest: string;
      /**
       * @description read: changes nothing and may be repeated after a failure. write and destructive: sent at most once
       * @enum {string}
       */
      effect: 'read' | 'write' | 'destructive';
    };
    /**
     * @description One call of a tool
     * @example {
     *       "name": "mcp_shop_find_order",
     *       "input": {
     *         "order_id": "17"
     *       }
     *     }
     */
    RunMcpTool: {
      /** @description Name of one of its tools, as agents call it */
      name: string;
      /** @description The tool's arguments, by its `parameters` */
      input: {
        [key: string]: unknown;
      };
    };
    /** @description The organization that the token belongs to */
    Organization: {
      /**
       * Format: uuid
       * @description Identifier of the organization
       */
      id: string;
      /** @description Name of the organization */
      name: string;
      /** @description Messages, attachments, tool calls and deliveries are erased this many days after their run has ended; the conversation and its contact are erased with the last of them. Null: nothing is erased */
      retention_days: number | null;
      /** @description Entries of the audit log are deleted after this many days; null: never. Whoever runs the server changes it on the command line */
      audit_retention_days: number | null;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      created_at: string;
    };
    /** @description The fields to change; absent fields stay as they are */
    ChangeOrganization: {
      /** @description Messages, attachments, tool calls and deliveries are erased this many days after their run has ended; the conversation and its contact are erased with the last of them. Null: nothing is erased */
      retention_days?: number | null;
    };
    /** @description Usage and limits */
    Usage: {
      /** @description For the organization */
      organization: components['schemas']['UsageAllowance'];
      /** @description For the token that makes the call */
      token?: components['schemas']['UsageAllowance'];
      /** @description Caps on the credits of the organization. Null: none */
      credit_caps: components['schemas']['CreditCaps'] | null;
      /** @description For the organization */
      storage: components['schemas']['UsageStorage'];
      /**
       * Format: date-time
       * @description When the next month starts
       */
      resets_at: string;
      /** @description Oldest first, including days without usage. Erased runs still count */
      days: components['schemas']['UsageDay'][];
    };
    /** @description This month's usage and limits */
    UsageAllowance: {
      /** @description Maximum credits per calendar month (UTC). Null: no limit */
      limit: number | null;
      /** @description Credits of the runs that have ended this month */
      used: number;
      /** @description Maximum messages per calendar month (UTC). Null: no limit */
      message_limit: number | null;
      /** @description Messages of the runs that have ended this month */
      messages: number;
    };
    /** @description Bytes that the files of an organization use, and their limit */
    UsageStorage: {
      /** @description Size of the files that are stored now */
      used_bytes: number;
      /** @description Maximum size of all stored files. Null: no limit */
      limit_bytes: number | null;
      /** @description True if the limit is the installation's default */
      limit_is_default: boolean;
    };
    /** @description Usage of one day */
    UsageDay: {
      /**
       * Format: date
       * @description The day in UTC
       */
      day: string;
      /** @description Messages from users; a regenerated answer counts its messages again */
      messages: number;
      /** @description Runs that ended, including failed ones */
      runs: number;
      /** @description Cost of these runs */
      credits: number;
    };
    /** @description One page of the request log */
    ApiRequestList: {
      /** @description Rows of this page */
      data: components['schemas']['ApiRequest'][];
      /** @description Send it as `cursor` to read the next page; null on the last page */
      next_cursor: string | null;
      /** @description Number of requests on all pages by status, as the other filters permit them; `cut`: the caller disconnected before the response */
      counts: components['schemas']['ApiRequestListCounts'];
    };
    /** @description A request that an API token made, as the log keeps it */
    ApiRequest: {
      /**
       * Format: uuid
       * @description Identifier of the request, also the header `Parley-Request-Id` of its response
       */
      id: string;
      /**
       * Format: date-time
       * @description ISO 8601 in UTC with milliseconds
       */
      at: string;
      /** @description HTTP method */
      method: string;
      /** @description Path of the operation, with each parameter as {name} */
      route: string;
      /** @description The route with the id of its agent. Of another UUID, only the last 4 digits: …3f2a. Of other values, and of the id of a contact, only …. Null if the route has no parameter */
      path: string | null;
      /** @description HTTP status; null: the caller disconnected before the response */
      status: number | null;
      /** @description `code` of the error; null if there was none */
      code: string | null;
      /** @description With validation_failed: the first invalid field, unless the caller chose its name */
      field: string | null;
      /** @description The problem of `field`; null also if its message may quote the caller */
      reason: string | null;
      /** @description Until the response had been sent; of an event stream, until it ended */
      duration_ms: number;
      /**
       * Format: uuid
       * @description The API token; of a call of an MCP client, the grant
       */
      token_id: string;
      /** @description Name of the token; null if it was deleted */
      token_name: string | null;
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
      /** @description Id of the message; a message without an id gets no response */
      id?: components['schemas']['McpMessageId'];
      /** @description For example tools/list or tools/call */
      method: string;
      /** @description Parameters of the method */
      params?: components['schemas']['McpMessageParams'];
    } & {
      [key: string]: unknown;
    };
    /** @description The response to a message that was refused */
    McpRefusal: {
      /**
       * @description Version of JSON-RPC
       * @enum {string}
       */
      jsonrpc: '2.0';
      /** @description Id of the message, a string or a number; null if it has none */
      id: unknown;
      /** @description The error */
      error: components['schemas']['McpRefusalError'];
    };
    /** @description There is more data than one call can erase. The request is recorded; Parley erases the rest without further calls */
    DeleteConversationAnswer: {
      /**
       * @description Erasure continues without further calls
       * @enum {string}
       */
      status: 'erasing';
    };
    /** @description An error of the API, or a JSON-RPC error */
    CallMcpAnswer: components['schemas']['ErrorBody'] | components['schemas']['McpRefusal'];
    /** @description The error */
    OpenAiErrorError: {
      /** @description A sentence for people */
      message: string;
      /** @description Kind of the error, as OpenAI names it */
      type: string;
      /** @description The first invalid field, if any */
      param: string | null;
      /** @description A code of the table in docs/api.md */
      code: string;
      /** @description With validation_failed: each invalid field */
      details?: components['schemas']['ErrorDetail'][];
      /**
       * Format: uuid
       * @description With credit_cap_reached, agent_failed, output_invalid, cancelled and sync_timeout: the conversation that holds the result
       */
      conversation_id?: string;
    };
    /** @description The version that is tried on a share of new conversations; absent if there is none */
    AgentCandidate: {
      /** @description Number of the version */
      version: number;
      /** @description Share of new conversations that get it, in percent */
      percent: number;
    };
    /** @description Calls this tool; the model is then called again with its result */
    ScriptRuleTool: {
      /** @description Identifier of the action, for example DOCS_FETCH_DATA */
      action: string;
      /** @description The action's parameters */
      input: {
        [key: string]: unknown;
      };
    };
    /** @description Fails the model call */
    ScriptRuleFail: {
      /** @description Message of the failure */
      message: string;
      /** @description true: the call is tried three times in all, after 1 s and 2 s */
      retryable: boolean;
      /** @description Fails only this many calls of a conversation. Default: every call */
      times?: number;
    };
    /** @description Numbers of changed lines */
    ListedAgentVersionChangedLines1: {
      /** @description Lines that only this version has */
      added: number;
      /** @description Lines that only the version before has */
      removed: number;
    };
    /** @description Runs that began with this version and ended in the last 7 days, without those of tests. Only the newest 1000 are counted */
    ListedAgentVersionLast7Days: {
      /** @description Runs that ended with an answer */
      answered: number;
      /** @description Runs that failed */
      failed: number;
    };
    /** @description `draft` (as it was at the start), or the number of the version; also of one that the draft has become since */
    RehearsalVersion: 'draft' | number;
    /** @description The answer contains a text, or does not */
    RehearsalRule1: {
      /**
       * @description Kind of the rule
       * @enum {string}
       */
      kind: 'contains' | 'does_not_contain';
      /** @description The text; upper and lower case do not matter */
      text: string;
    };
    /** @description The answer is at most this long */
    RehearsalRuleMaxChars: {
      /**
       * @description Kind of the rule
       * @enum {string}
       */
      kind: 'max_chars';
      /** @description Maximum characters */
      max: number;
    };
    /** @description The answer is JSON that fits a schema */
    RehearsalRuleJsonSchema: {
      /**
       * @description Kind of the rule
       * @enum {string}
       */
      kind: 'json_schema';
      /** @description JSON Schema of an object, with the keywords that the schema of a tool may have */
      schema: {
        [key: string]: unknown;
      };
    };
    /** @description Absent if no judge compared the answers */
    RehearsalTurnJudgement: {
      /**
       * @description The new answer beside the recorded one. unclear: the judge failed, or gave no verdict
       * @enum {string}
       */
      verdict: 'better' | 'as_good' | 'worse' | 'unclear';
      /** @description The reason of the judge */
      reason: string;
    };
    /** @description One turn */
    AddTestTurns1: {
      /**
       * Format: uuid
       * @description The run of one turn
       */
      run_id: string;
    };
    /** @description All turns of a conversation */
    AddTestTurns2: {
      /**
       * Format: uuid
       * @description All of the agent's turns of this conversation
       */
      conversation_id: string;
    };
    /** @description The gateway's seven webhook settings, by the names they have there */
    ChannelSetupSettings: {
      /** @description The agent's webhook URL */
      url: string;
      /**
       * @description HTTP method of the webhook
       * @enum {string}
       */
      method: 'POST';
      /** @description The webhook is enabled */
      enabled: boolean;
      /** @description Nothing is appended to the URL */
      addUrlEvents: boolean;
      /** @description Nothing is appended to the URL */
      addUrlTypesMessages: boolean;
      /** @description The events that the gateway sends */
      events: string[];
      /** @description The messages that the gateway does not send */
      excludeMessages: string[];
    };
    /** @description The webhook's set-up at the gateway */
    ChannelSetup: {
      /** @description The URL to which the gateway must post its events. It is secret, and stays the same until it is renewed */
      webhook_url: string;
      /** @description Steps to carry out in the gateway's dashboard, in order */
      steps: string[];
      /** @description The gateway's seven webhook settings, by the names they have there */
      settings: components['schemas']['ChannelSetupSettings'];
    };
    /** @description The current problem; absent if there is none */
    ChannelLastError: {
      /**
       * @description A stable code for programs
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
      /** @description A sentence for people */
      message: string;
      /**
       * Format: date-time
       * @description When the error occurred
       */
      at: string;
    };
    /** @description The WhatsApp session at the gateway */
    ChannelSession: {
      /** @description The session's status, as the gateway last reported it */
      status: string;
      /** @description Why the session is down, if the gateway gives a reason */
      reason?: string;
      /**
       * Format: date-time
       * @description When the session was last checked
       */
      checked_at: string;
      /**
       * Format: date-time
       * @description When the session was first found down; absent while it is up
       */
      down_since?: string;
      /**
       * @description State of the webhook at the gateway. right: messages arrive; wrong: they do not; unread: the gateway does not report it
       * @enum {string}
       */
      webhook?: 'right' | 'wrong' | 'unread';
    };
    /** @description The problem, and what to do about it; absent if there is none */
    ChannelHelloProblem: {
      /**
       * @description A stable code for programs
       * @enum {string}
       */
      code:
        | 'session_down'
        | 'invalid_credentials'
        | 'timelocked'
        | 'refused'
        | 'gateway_busy'
        | 'gateway_unreachable'
        | 'uncertain'
        | 'not_confirmed'
        | 'webhook_wrong';
      /** @description What happened, and what to do */
      message: string;
    };
    /** @description Data of the event */
    StreamEventAcceptedData: {
      /**
       * Format: uuid
       * @description The conversation of the message
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description Id of the sent message
       */
      message_id: string;
      /** @description Path for GET with Last-Event-ID, which resumes the stream after a broken connection */
      stream_url: string;
    };
    /** @description The message is stored durably. It will be answered even if this connection breaks. */
    StreamEventAccepted: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'accepted';
      /** @description Data of the event */
      data: components['schemas']['StreamEventAcceptedData'];
    };
    /** @description Data of the event */
    StreamEventDeltaData: {
      /** @description Number of the model call within the run. Each step has a text of its own */
      step: number;
      /** @description Text to append to the previous text of the step */
      text: string;
    };
    /** @description More text. The pieces of a step together form the answer; before a transfer, the last message of the transferring agent; before tool calls, text that is in no message. */
    StreamEventDelta: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'delta';
      /** @description Data of the event */
      data: components['schemas']['StreamEventDeltaData'];
    };
    /** @description Data of the event */
    StreamEventRestartData: {
      /** @description Number of the model call within the run. Each step has a text of its own */
      step: number;
    };
    /** @description Discard the text of this step: the model is called again, and its text starts over. */
    StreamEventRestart: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'restart';
      /** @description Data of the event */
      data: components['schemas']['StreamEventRestartData'];
    };
    /** @description Data of the event */
    StreamEventToolCallData: {
      /** @description Number of the model call within the run. Each step has a text of its own */
      step: number;
      /** @description Id of the call, the same in both of its events */
      call_id: string;
      /** @description Name of the action */
      name: string;
      /**
       * @description State of the call
       * @enum {string}
       */
      status: 'started' | 'succeeded' | 'failed';
    };
    /** @description A tool call has started or ended. */
    StreamEventToolCall: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'tool_call';
      /** @description Data of the event */
      data: components['schemas']['StreamEventToolCallData'];
    };
    /** @description Data of the event */
    StreamEventTransferData: {
      /** @description Number of the model call within the run. Each step has a text of its own */
      step: number;
      /**
       * Format: uuid
       * @description The agent that takes over
       */
      agent_id: string;
      /** @description Name of the agent that takes over */
      responding_agent_name: string;
    };
    /** @description The agent in `data` takes over the conversation. */
    StreamEventTransfer: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'transfer';
      /** @description Data of the event */
      data: components['schemas']['StreamEventTransferData'];
    };
    /** @description The last event: the body of the synchronous response. */
    StreamEventCompleted: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'completed';
      /** @description Data of the event */
      data: components['schemas']['ChatAnswer'];
    };
    /** @description The last event if there is no answer: the body of the error. */
    StreamEventFailed: {
      /** @description Id of the event; sent as Last-Event-ID, it resumes the stream after this event */
      id?: string;
      /**
       * @description Kind of the event (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      event: 'failed';
      /** @description Data of the event */
      data: components['schemas']['ErrorBody'];
    };
    /** @description Only with stream */
    OpenAiChatRequestStreamOptions: {
      /** @description true: an additional last event contains the usage */
      include_usage?: boolean;
      /** @description Ignored */
      include_obfuscation?: boolean;
    };
    /** @description Text, or parts; only the last message may have images and files */
    OpenAiMessageContent: string | components['schemas']['OpenAiPart'][];
    /** @description The image */
    OpenAiImagePartImageUrl: {
      /** @description Public https URL, or a data URL with base64 */
      url: string;
      /** @description Ignored */
      detail?: string;
    };
    /** @description The file */
    OpenAiFilePartFile: {
      /** @description Data URL with base64 */
      file_data: string;
      /** @description Name of the file */
      filename?: string;
    };
    /** @description Tokens that the run used, as its providers report them */
    OpenAiCompletionUsage: {
      /** @description Input tokens of all model calls of the run */
      prompt_tokens: number;
      /** @description Output tokens of all model calls of the run */
      completion_tokens: number;
      /** @description Input and output tokens */
      total_tokens: number;
    };
    /** @description Where Parley stored the message and its answer */
    OpenAiCompletionParley: {
      /**
       * Format: uuid
       * @description The conversation of the message
       */
      conversation_id: string;
      /**
       * Format: uuid
       * @description Identifier of the sent message
       */
      message_id: string;
    };
    /** @description The answer */
    OpenAiChoiceMessage: {
      /**
       * @description Always assistant
       * @enum {string}
       */
      role: 'assistant';
      /** @description All texts that agents wrote in the run, with an empty line between them */
      content: string;
      /** @description Always null */
      refusal: string | null;
    };
    /** @description The message; or turns, of which the last must be from the user. In a new conversation, the turns before it are the earlier turns */
    OpenAiResponseRequestInput: string | components['schemas']['OpenAiItem'][];
    /** @description Continues this conversation: the `conversation` of a response */
    OpenAiResponseRequestConversation: string | components['schemas']['OpenAiConversation'];
    /** @description Only with stream */
    OpenAiResponseRequestStreamOptions: {
      /** @description Ignored */
      include_obfuscation?: boolean;
    };
    /** @description Text, or parts; only the last item may have images and files */
    OpenAiItemContent: string | components['schemas']['OpenAiInputPart'][];
    /** @description Why the run failed */
    OpenAiResponseError1: {
      /** @description A code of the table in docs/api.md */
      code: string;
      /** @description A sentence for people */
      message: string;
    };
    /** @description Why the answer is cut off */
    OpenAiResponseIncompleteDetailsMaxOutputTokens: {
      /**
       * @description Always max_output_tokens
       * @enum {string}
       */
      reason: 'max_output_tokens';
    };
    /** @description Where Parley stored the message and its answer */
    OpenAiResponseConversation: {
      /**
       * Format: uuid
       * @description Identifier of the conversation
       */
      id: string;
    };
    /** @description Tokens that the run used, as its providers report them */
    OpenAiResponseUsage1: {
      /** @description Input tokens of all model calls of the run */
      input_tokens: number;
      /** @description Output tokens of all model calls of the run */
      output_tokens: number;
      /** @description Input and output tokens */
      total_tokens: number;
    };
    /** @description The end user */
    ConversationContact: {
      /** @description Your own key; for a channel, `whatsapp:` and the contact's current number or LID */
      id: string;
      /** @description Display name */
      name?: string;
    };
    /** @description Outcome of its callback or channel reply; absent if it has neither */
    AgentMessageDelivery: {
      /**
       * @description pending: not started; attempting: in progress; delivered: answered with 2xx; failed: any other response, or none in time; blocked: the address is not allowed; unknown: a process died during the attempt, so it may have arrived. Parley does not send it again, unless POST /deliveries/{id}/resend asks for it
       * @enum {string}
       */
      status: 'pending' | 'attempting' | 'delivered' | 'failed' | 'blocked' | 'unknown';
      /**
       * Format: date-time
       * @description When its only attempt started; for a channel reply, when the last attempt of its first part started
       */
      attempted_at?: string;
    };
    /** @description Absent while it waits */
    ApprovalDecidedBy: {
      /**
       * @description Who or what decided
       * @enum {string}
       */
      kind: 'person' | 'token' | 'system';
      /** @description Name of the person or the API token */
      name?: string;
      /** @description Number of a person who decided by a reply on WhatsApp; otherwise absent */
      phone?: string;
    };
    /** @description Present if another action should be used instead; this one still works */
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
    /** @description Number of requests on all pages by status, as the other filters permit them; `cut`: the caller disconnected before the response */
    ApiRequestListCounts: {
      /** @description Requests that succeeded */
      '2xx': number;
      /** @description Requests that were refused */
      '4xx': number;
      /** @description Requests that failed on the side of Parley */
      '5xx': number;
      /** @description Requests whose caller disconnected before the answer */
      cut: number;
    };
    /** @description Id of the message; a message without an id gets no response */
    McpMessageId: string | number;
    /** @description Parameters of the method */
    McpMessageParams: {
      [key: string]: unknown;
    };
    /** @description The error */
    McpRefusalError: {
      /** @description Error code of JSON-RPC */
      code: number;
      /** @description A sentence for people */
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
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description The `updated_at` that you have read. If it is no longer current, the call returns 409 `version_conflict` and changes nothing. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `conflict`: The name is taken. · `invalid_state`: This is not possible in the current state. · `version_conflict`: The resource has changed since the version in If-Match. Read it again. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listDeletedAgents: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedAgentList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  restoreAgent: {
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `conflict`: The name is taken. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listAgentVersions: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListedAgentVersionList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  publishAgentDraft: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `updated_at` that you have read. If it is no longer current, the call returns 409 `version_conflict` and changes nothing. */
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
        'application/json': components['schemas']['PublishAgentDraft'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentVersionDetail'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `invalid_state`: This is not possible in the current state. · `version_conflict`: The resource has changed since the version in If-Match. Read it again. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getAgentVersion: {
    parameters: {
      query?: {
        /** @description Another version of the agent. Default: the newest kept one before this version */
        compare_with?: number;
      };
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
        /** @description Number of the version */
        version: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentVersionDetail'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  rollBackAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `updated_at` that you have read. If it is no longer current, the call returns 409 `version_conflict` and changes nothing. */
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
        'application/json': components['schemas']['RollBackAgent'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentVersionDetail'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `version_conflict`: The resource has changed since the version in If-Match. Read it again. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getAgentDraft: {
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentDraft'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  saveAgentDraft: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `updated_at` that you have read. If it is no longer current, the call returns 409 `version_conflict` and changes nothing. */
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
        'application/json': components['schemas']['ChangeAgentDraft'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentDraft'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `version_conflict`: The resource has changed since the version in If-Match. Read it again. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  discardAgentDraft: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `updated_at` that you have read. If it is no longer current, the call returns 409 `version_conflict` and changes nothing. */
        'If-Match'?: string;
      };
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `version_conflict`: The resource has changed since the version in If-Match. Read it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  setAgentCandidate: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetAgentCandidate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentVersionDetail'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listRehearsals: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RehearsalList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  startRehearsal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartRehearsal'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rehearsal'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getRehearsal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
        /** @description Identifier of the rehearsal */
        rehearsalId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rehearsal'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listRehearsalTurns: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
        /** @description Only turns with this outcome */
        outcome?:
          'same' | 'other_text' | 'other_tool' | 'other_arguments' | 'other_transfer' | 'refused' | 'failed';
        /** @description true: only turns that meet the checks. false: only those that do not */
        passed?: 'true' | 'false';
      };
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
        /** @description Identifier of the rehearsal */
        rehearsalId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RehearsalTurnList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  cancelRehearsal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
        /** @description Identifier of the rehearsal */
        rehearsalId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rehearsal'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  resumeRehearsal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
        /** @description Identifier of the rehearsal */
        rehearsalId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rehearsal'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listTestTurns: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestTurnList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  addTestTurns: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddTestTurns'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AddedTestTurns'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  removeTestTurn: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        id: string;
        /** @description Identifier of the turn in the test set */
        turnId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `invalid_state`: This is not possible in the current state. · `number_in_use`: Another agent is connected with this number. To move the number to this agent, repeat the call with take_over. */
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
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not match the schema. */
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `invalid_state`: This is not possible in the current state. · `number_in_use`: Another agent is connected with this number. To move the number to this agent, repeat the call with take_over. */
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
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not match the schema. */
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      query?: {
        /** @description true moves the number from the agents that use it to this one. Without it, the call is refused with number_in_use */
        take_over?: 'true' | 'false';
      };
      header?: never;
      path: {
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `invalid_state`: This is not possible in the current state. · `number_in_use`: Another agent is connected with this number. To move the number to this agent, repeat the call with take_over. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not match the schema. */
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  renewWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RenewedWebhook'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  sendChannelHello: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendHello'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChannelHello'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getChannelHello: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the channel's agent */
        id: string;
        /** @description The request_id of the call that sent it */
        requestId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChannelHello'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the channel's agent */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Identifier of an agent or of an API inbox */
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChatAnswer'];
          'text/event-stream': components['schemas']['StreamEvent'];
        };
      };
      /** @description Success. */
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
      /** @description `credit_limit_reached`: The monthly credit limit is reached. · `credit_cap_reached`: A cap on credits leaves no room for the call, which was not made. · `message_limit_reached`: The monthly message limit is reached. · `storage_limit_reached`: The organization's file storage is full, so nothing was accepted. Erase conversations or raise the limit. */
      402: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `agent_inactive`: The agent is inactive. · `cancelled`: The run was cancelled, so there is no answer. · `idempotency_conflict`: This Idempotency-Key was used with another body. · `invalid_state`: This is not possible in the current state. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `agent_failed`: The agent's run failed. · `output_invalid`: The agent's answer does not fit its output schema. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
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
        /** @description The id of the last event that you received; without it, the stream starts from the beginning. */
        'Last-Event-ID'?: string;
      };
      path: {
        /** @description Id of the sent message: message_id of the stream's first event */
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
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listOpenAiModels: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiModelList'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
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
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
    };
  };
  getOpenAiModel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the agent */
        model: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiModel'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
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
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
    };
  };
  createOpenAiCompletion: {
    parameters: {
      query?: never;
      header?: {
        /** @description A repeat within 24 hours returns the first call's status and body and adds nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OpenAiChatRequest'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiCompletion'];
          'text/event-stream': string;
        };
      };
      /** @description `validation_failed`: The request does not match the schema. · `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `credit_limit_reached`: The monthly credit limit is reached. · `credit_cap_reached`: A cap on credits leaves no room for the call, which was not made. · `message_limit_reached`: The monthly message limit is reached. · `storage_limit_reached`: The organization's file storage is full, so nothing was accepted. Erase conversations or raise the limit. */
      402: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `agent_inactive`: The agent is inactive. · `cancelled`: The run was cancelled, so there is no answer. · `idempotency_conflict`: This Idempotency-Key was used with another body. · `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
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
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `agent_failed`: The agent's run failed. · `output_invalid`: The agent's answer does not fit its output schema. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
      504: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
    };
  };
  createOpenAiResponse: {
    parameters: {
      query?: never;
      header?: {
        /** @description A repeat within 24 hours returns the first call's status and body and adds nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OpenAiResponseRequest'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiResponse'];
          'text/event-stream': string;
        };
      };
      /** @description `validation_failed`: The request does not match the schema. · `invalid_json`: The body is not valid JSON. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unauthorized`: A valid API token is required: Authorization: Bearer pk_… */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `credit_limit_reached`: The monthly credit limit is reached. · `credit_cap_reached`: A cap on credits leaves no room for the call, which was not made. · `message_limit_reached`: The monthly message limit is reached. · `storage_limit_reached`: The organization's file storage is full, so nothing was accepted. Erase conversations or raise the limit. */
      402: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `not_found`: There is no such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `agent_inactive`: The agent is inactive. · `cancelled`: The run was cancelled, so there is no answer. · `idempotency_conflict`: This Idempotency-Key was used with another body. · `invalid_state`: This is not possible in the current state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `payload_too_large`: The body is larger than the limit. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unsupported_media_type`: Send the body as application/json. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
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
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `internal`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `agent_failed`: The agent's run failed. · `output_invalid`: The agent's answer does not fit its output schema. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
      503: {
        headers: {
          /** @description Seconds to wait */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
      504: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'];
        };
      };
    };
  };
  listConversations: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
        /** @description Only conversations that this agent answers now */
        agent_id?: string;
        /** @description Only conversations of this contact */
        contact_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeleteConversationAnswer'];
        };
      };
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChatAnswer'];
          'text/event-stream': components['schemas']['StreamEvent'];
        };
      };
      /** @description Success. */
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
      /** @description `credit_limit_reached`: The monthly credit limit is reached. · `credit_cap_reached`: A cap on credits leaves no room for the call, which was not made. · `message_limit_reached`: The monthly message limit is reached. */
      402: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `agent_inactive`: The agent is inactive. · `cancelled`: The run was cancelled, so there is no answer. · `invalid_state`: This is not possible in the current state. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `agent_failed`: The agent's run failed. · `output_invalid`: The agent's answer does not fit its output schema. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
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
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeleteConversationAnswer'];
        };
      };
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
        /** @description asc: oldest first */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listApprovals: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
        /** @description Only approvals with this status; decided: all except the waiting ones */
        status?: 'waiting' | 'approved' | 'executed' | 'refused' | 'expired' | 'unknown' | 'decided';
        /** @description Only approvals of this agent */
        agent_id?: string;
        /** @description Only approvals of this conversation */
        conversation_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApprovalList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getApproval: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the approval */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  decideApproval: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the approval */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DecideApproval'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `already_decided`: The approval was decided already, or has ended. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
        /** @description Only deliveries of this conversation */
        conversation_id?: string;
        /** @description Only deliveries in this state */
        status?: 'pending' | 'attempting' | 'delivered' | 'failed' | 'blocked' | 'unknown';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  resendCallback: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the delivery */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResentDelivery'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listWebhookEndpoints: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpointList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  addWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddWebhookEndpoint'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedWebhookEndpoint'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  removeWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the endpoint */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  changeWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the endpoint */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeWebhookEndpoint'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the endpoint */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RotateWebhookSecret'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedWebhookEndpoint'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  sendTestCallback: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendTestCallback'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestCallback'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not match the schema. */
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listHttpTools: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HttpToolList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  createHttpTool: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateHttpTool'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HttpTool'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  readOpenapi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReadOpenapi'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenapiOperations'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getHttpTool: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the HTTP tool */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HttpTool'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  deleteHttpTool: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the HTTP tool */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  updateHttpTool: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the HTTP tool */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateHttpTool'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HttpTool'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  runHttpTool: {
    parameters: {
      query?: never;
      header?: {
        /** @description A repeat within 24 hours returns the first call's status and body and adds nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Identifier of the HTTP tool */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RunHttpTool'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HttpToolResult'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `idempotency_conflict`: This Idempotency-Key was used with another body. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
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
  listMcpServers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpServerList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  createMcpServer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateMcpServer'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpServer'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  getMcpServer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the MCP server */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpServer'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  deleteMcpServer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the MCP server */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  updateMcpServer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the MCP server */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMcpServer'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpServer'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  readMcpTools: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the MCP server */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpOffer'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  chooseMcpTools: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the MCP server */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChooseMcpTools'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['McpServer'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `invalid_credentials`: The credentials were rejected. Check them. · `validation_failed`: The request does not match the schema. */
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
      /** @description `gateway_unreachable`: The gateway did not return a usable response. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  runMcpTool: {
    parameters: {
      query?: never;
      header?: {
        /** @description A repeat within 24 hours returns the first call's status and body and adds nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Identifier of the MCP server */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RunMcpTool'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HttpToolResult'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `idempotency_conflict`: This Idempotency-Key was used with another body. */
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description `sync_timeout`: The answer takes longer than a call can wait. It will be added to the history. */
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
  getOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description Number of days, including today (UTC); 1 to 92 */
        days?: number;
        /** @description token: only the usage that calls with this token started */
        of?: 'organization' | 'token';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  listRequests: {
    parameters: {
      query?: {
        /** @description Rows per page, 1 to 100 */
        limit?: number;
        /** @description The next_cursor of the previous page */
        cursor?: string;
        /** @description `error`: 4xx and 5xx; `cut`: the caller disconnected before the response */
        status?: '2xx' | 'error' | '4xx' | '5xx' | 'cut';
        /** @description `code` of the error */
        code?:
          | 'invalid_json'
          | 'unauthorized'
          | 'credit_limit_reached'
          | 'credit_cap_reached'
          | 'message_limit_reached'
          | 'storage_limit_reached'
          | 'forbidden'
          | 'not_found'
          | 'method_not_allowed'
          | 'idempotency_conflict'
          | 'agent_inactive'
          | 'conflict'
          | 'version_conflict'
          | 'cancelled'
          | 'number_in_use'
          | 'already_decided'
          | 'invalid_state'
          | 'payload_too_large'
          | 'unsupported_media_type'
          | 'validation_failed'
          | 'invalid_credentials'
          | 'rate_limited'
          | 'internal'
          | 'agent_failed'
          | 'output_invalid'
          | 'gateway_unreachable'
          | 'unavailable'
          | 'sync_timeout';
        /** @description HTTP method */
        method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
        /** @description The route or its beginning, for example /v1/chat */
        route?: string;
        /** @description Only requests of this token */
        token_id?: string;
        /** @description Only the request of this `Parley-Request-Id` */
        request_id?: string;
        /** @description Only requests of this time and later */
        from?: string;
        /** @description Only requests before this time */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiRequestList'];
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description `validation_failed`: The request does not match the schema. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description The response, as an event. A failed action is a response with `isError`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description Accepted: a message that gets no response. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body is not JSON, or not a message of the protocol. */
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
      /** @description `forbidden`: Your role or your token does not allow this. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description The Accept header does not list both application/json and text/event-stream. */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
        /** @description The `state` of the authorization URL */
        state?: string;
        /** @description If the user allowed the connection: the code that is exchanged for tokens */
        code?: string;
        /** @description If the user denied the connection: access_denied */
        error?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Redirects to the console's tools page. Its query parameter `connection` is connected, denied, expired or failed. */
      303: {
        headers: {
          /** @description URL of the page */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
  returnFromMcpSignIn: {
    parameters: {
      query?: {
        /** @description The `state` of the authorization URL */
        state?: string;
        /** @description If the user allowed access: the code that is exchanged for tokens */
        code?: string;
        /** @description If the user denied access: access_denied */
        error?: string;
        /** @description The issuer of the authorization server (RFC 9207) */
        iss?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the MCP server; with any other value, the sign-in counts as expired */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Redirects to the console's tools page. Its query parameter `sign_in` is signed_in, denied, expired, failed, not_allowed or busy. */
      303: {
        headers: {
          /** @description URL of the page */
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
      /** @description `unavailable`: The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one. */
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
      /** @description Delivered. Any other response is recorded as a failed delivery; there is one attempt. */
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
      /** @description Delivered. Any other response is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveApprovalRequested: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApprovalRequested'];
      };
    };
    responses: {
      /** @description Delivered. Any other response is recorded as a failed delivery; there is one attempt. */
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
      /** @description Delivered. Any other response is recorded as a failed delivery; there is one attempt. */
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
      /** @description Delivered. Any other response is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveConversationWaiting: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConversationWaiting'];
      };
    };
    responses: {
      /** @description Delivered. Any other response is recorded as a failed delivery; there is one attempt. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
