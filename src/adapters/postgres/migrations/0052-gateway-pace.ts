/** The sends of each gateway instance within the last minute, by all workers together; and a file that became a link. */
export const up = `
create unlogged table gateway_rates (
  instance text primary key,
  sent_at timestamptz[] not null
);

-- The gateway refused the file: the part is a text with a link to it.
alter table gateway_sends add as_link boolean not null default false;
`;
