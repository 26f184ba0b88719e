/** What recovery has done about conversations that stall: one whose workflow does nothing about it gets a new one. */
export const up = `
-- No reference: a conversation may be erased meanwhile. Rows that are not looked at any more are cleaned up.
create table recoveries (
  conversation_id uuid primary key,
  organization_id uuid not null,
  -- What is due, and in which state: where it changes, the workflow is at work.
  due text not null,
  since timestamptz not null default clock_timestamp(),
  looked_at timestamptz not null default clock_timestamp(),
  looks integer not null default 1,
  replaced integer not null default 0
);
create index recoveries_by_look on recoveries (looked_at);
`;
