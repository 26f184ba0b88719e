-- Notes that members write on a conversation, for members only: no model and no contact gets them.
create table conversation_notes (
  id uuid primary key,
  conversation_id uuid not null references conversations on delete cascade,
  organization_id uuid not null,
  author_id uuid references console_users on delete set null,
  author_name text not null, -- when the note was written
  text text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index conversation_notes_of_conversation on conversation_notes (conversation_id, created_at);
create index conversation_notes_by_age on conversation_notes (organization_id, created_at);
create index conversation_notes_of_author on conversation_notes (author_id) where author_id is not null;

alter table conversation_reads add column viewed_at timestamptz; -- when the member last had the conversation open
