-- The texts of decisions that Parley itself takes, which the functions name by their codes. The migration copies them
-- from src/domain/conversations/approval-reasons.ts.
create table approval_reasons (
  code text primary key,
  note text not null,   -- shown with the approval
  result text not null  -- read by the model, if the call is not executed
);
drop function if exists end_approvals(uuid[], text, timestamptz);
