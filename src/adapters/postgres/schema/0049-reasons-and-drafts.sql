-- The texts of decisions that Parley itself takes, which the functions name by their codes. The migration copies them
-- from src/domain/conversations/approval-reasons.ts.
create table approval_reasons (
  code text primary key,
  note text not null,   -- shown with the approval
  result text not null  -- read by the model, if the call is not executed
);
drop function if exists end_approvals(uuid[], text, timestamptz);
drop function if exists record_requests(json, uuid[], integer); -- now statements in ../accounts/tokens.ts

-- A draft that a conversation tries is a version with a number of its own, below zero (see draft_to_try). Only these
-- columns read the sign.
alter table agent_versions add column is_draft boolean not null generated always as (version < 0) stored;
alter table conversations add column tries_draft boolean not null generated always as (coalesce(candidate_version < 0, false)) stored;
alter table runs add column of_draft boolean not null generated always as (coalesce(agent_version < 0, false)) stored;
alter table run_steps add column of_draft boolean not null generated always as (coalesce(agent_version < 0, false)) stored;
drop index conversations_of_draft;
create index conversations_of_draft on conversations (candidate_agent_id, candidate_version) where tries_draft;

alter table recoveries rename column looked_at to found_at;
alter table recoveries rename column looks to times_found;
alter index recoveries_by_look rename to recoveries_by_age;
alter table channels rename column looked_at to check_claimed_at; -- when a caller last had the gateway checked
