-- Searches the messages of the connection's organization for all words of p_text: at most 8, from its first 255
-- characters. A word of two characters or more also matches as the beginning of a longer word. Returns the newest
-- matching message of each conversation.
-- Finds every match if there are at most 5,000. Otherwise, is_partial is true, and only the newest 5,000 messages of
-- the organization up to p_to were searched. If none of them matches, returns one row without ids, whose is_partial is
-- true.
-- Runs as the owner of the tables, because Postgres does not use the word index under row security. Finds no messages
-- of other organizations, because each indexed word contains its organization's id. Locks nothing.
create or replace function search_messages(p_text text, p_to timestamptz)
returns table (conversation_id uuid, message_id uuid, is_partial boolean)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  v_organization uuid := parley_organization();
  v_query tsquery;
begin
  select string_agg(format('''%s''%s', lexeme, case when char_length(lexeme) > 37 then ':*' end), ' & ')::tsquery into v_query
    from (select lexeme from unnest(message_words(v_organization, left(p_text, 255))) limit 8) words;
  if v_query is null then return; end if;
  return query
    with matches as materialized (
      select m.conversation_id, m.id, m.created_at, m.organization_id from messages m
        where message_words(m.organization_id, m.text) @@ v_query limit 5001),
    counted as (select count(*) > 5000 as is_partial from matches),
    newest as (
      select m.conversation_id, m.id, m.created_at, m.organization_id
        from (select * from messages where organization_id = v_organization and created_at <= p_to
                order by organization_id desc, created_at desc limit 5000) m
        where (select is_partial from counted) and message_words(m.organization_id, m.text) @@ v_query)
    (select distinct on (found.conversation_id) found.conversation_id, found.id, (select is_partial from counted)
      from (select * from matches where not (select is_partial from counted) union all select * from newest) found
      where found.organization_id = v_organization
      order by found.conversation_id, found.created_at desc, found.id desc)
    union all select null, null, true from counted where is_partial and not exists (select from newest);
end $$;
