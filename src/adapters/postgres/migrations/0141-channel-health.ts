/** What a look at a channel finds: the webhook at the gateway, and which channels go through one instance. */
export const up = `
-- instance_key: of address and token together, so that two channels of one instance are known without either.
-- webhook_wrong_since: null while it is right; messages that arrive in spite of it come another way, through a relay.
alter table channels add instance_key text, add webhook_state text check (webhook_state in ('right', 'wrong', 'unread')),
  add webhook_wrong_since timestamptz;
`;
