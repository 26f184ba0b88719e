-- Keeps what models read of an agent before a change, so that an answer's instructions can be shown later. Keeps the
-- newest 50 versions of an agent, and of these the newest whose texts are at most 1 MiB together, but always one.
create or replace function keep_agent_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  insert into agent_versions (agent_id, version, organization_id, instructions, follow_ups, tools, transfers_to)
    values (old.id, old.version, old.organization_id, old.instructions, old.follow_ups, old.tools, old.transfers_to);
  delete from agent_versions where agent_id = old.id and version <= (
    select max(version) from (
      select version, row_number() over newest as place,
             sum(octet_length(instructions) + octet_length(follow_ups::text)) over newest as bytes
        from agent_versions where agent_id = old.id window newest as (order by version desc)) kept
      where place > 50 or (place > 1 and bytes > 1048576));
  return new;
end $$;
