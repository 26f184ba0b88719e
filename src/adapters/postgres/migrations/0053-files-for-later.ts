/** Files that no run waits for: what a person sent from the phone, what came during a takeover, what could not be fetched in time. */
export const up = `
create index attachments_for_later on attachments (message_id)
  where url is not null and content is null and (error is null or error like 'not fetched for now%');
`;
