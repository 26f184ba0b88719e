-- The member who is responsible for a conversation; null: nobody. When the membership ends, nobody is.
alter table conversations add column assignee_id uuid;
alter table conversations add constraint conversations_assignee foreign key (organization_id, assignee_id)
  references console_members (organization_id, user_id) on delete set null (assignee_id);
create index conversations_of_assignee on conversations (organization_id, assignee_id, updated_at desc, id desc)
  where assignee_id is not null;
