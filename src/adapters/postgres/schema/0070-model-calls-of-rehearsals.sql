-- The successful model calls of the turn and of its judge, in order:
-- [{ model (provider/name), input_tokens, output_tokens, cached_input_tokens }]. Erased or repeated turns lose theirs.
alter table rehearsal_turns add column model_calls jsonb not null default '[]';
