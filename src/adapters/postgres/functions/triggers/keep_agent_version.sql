-- Stores each version of the settings that affect an agent's answers. If an update of an agent changes these settings,
-- gives them the next version number and writes the version's row. An update that only sets agents.version publishes a
-- version that already has a row. A statement that raises agents.last_version writes the row of the new version itself.
-- Also deletes versions. Always keeps the published version and the candidate, and of the others:
-- - the newest one;
-- - the newest 50, as long as their total size is at most 4 MiB;
-- - those that an existing run used, and drafts that an existing conversation tries, among the newest 1,000 versions
--   and up to a total size of 64 MiB;
-- - those that a run in progress uses.
-- All of these limits are chosen.
-- Locks: the versions that it replaces and deletes; the statement holds the agent's lock.
create or replace function keep_agent_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.version = old.version and new.last_version = old.last_version then
      if (old.instructions, old.model, old.fallback_model, old.script, old.follow_ups, old.transfers_to, old.tools, old.connections, old.tool_policies,
          old.approvers, old.may_hand_over, old.temperature, old.max_output_tokens, old.reasoning_effort, old.output_schema)
        is not distinct from (new.instructions, new.model, new.fallback_model, new.script, new.follow_ups, new.transfers_to, new.tools, new.connections,
          new.tool_policies, new.approvers, new.may_hand_over, new.temperature, new.max_output_tokens, new.reasoning_effort,
          new.output_schema) then
        return new;
      end if;
      new.last_version := old.last_version + 1;
      new.version := new.last_version;
    end if;
    update agent_versions set replaced_at = clock_timestamp()
      where agent_id = old.id and version = old.version and new.version <> old.version;
  end if;
  insert into agent_versions (agent_id, version, organization_id, instructions, model, fallback_model, script, follow_ups, transfers_to, tools,
                              connections, tool_policies, approvers, may_hand_over, temperature, max_output_tokens, reasoning_effort,
                              output_schema, bytes, created_at)
    values (new.id, new.version, new.organization_id, new.instructions, new.model, new.fallback_model, new.script, new.follow_ups, new.transfers_to,
            new.tools, new.connections, new.tool_policies, new.approvers, new.may_hand_over, new.temperature, new.max_output_tokens, new.reasoning_effort,
            new.output_schema,
            octet_length(new.instructions) + octet_length(new.follow_ups::text) + coalesce(octet_length(new.script::text), 0)
              + coalesce(octet_length(new.output_schema::text), 0),
            clock_timestamp())
    on conflict (agent_id, version) do update set replaced_at = null;
  delete from agent_versions v using (
      select version, row_number() over newest as place, sum(bytes) over newest as bytes
        from agent_versions where agent_id = new.id and version <> new.version and version is distinct from new.candidate_version
        window newest as (order by version desc)) old_ones
    where v.agent_id = new.id and v.version = old_ones.version and old_ones.place > 1
      and (old_ones.place > 50 or old_ones.bytes > 4194304)
      and case when old_ones.place <= 1000 and old_ones.bytes <= 67108864
        then not exists (select from runs r where r.agent_id = new.id and r.agent_version = v.version)
          and not exists (select from run_steps s where s.agent_id = new.id and s.agent_version = v.version and s.kind = 'transfer')
          and not exists (select from conversations c
            where c.candidate_agent_id = new.id and c.candidate_version = v.version and c.tries_draft)
        else not exists (select from runs r where r.agent_id = new.id and r.agent_version = v.version and r.state = 'running') end;
  return new;
end $$;
