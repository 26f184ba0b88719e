alter table messages
  -- Turns before this message that the caller gave with it, oldest first: [{ role, text }]. role: user, agent, or
  -- context for instructions of the calling program. Models read them as part of the history.
  add column earlier_turns jsonb;
