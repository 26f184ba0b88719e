alter table messages
  -- Earlier turns that the caller sent with this message, oldest first: [{ role, text }]. role: user, agent, or context
  -- (instructions of the calling program). Models read them as part of the history.
  add column earlier_turns jsonb;
