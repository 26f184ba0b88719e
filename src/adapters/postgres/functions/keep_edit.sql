-- Returns the earlier texts of a message with the text that an edit replaces: [{ text, replaced_at }], oldest first.
-- The first one is the original text. If there are more than 20 texts or more than 256 KiB, drops the oldest texts
-- after the original one. Both limits are chosen. Locks nothing.
create or replace function keep_edit(p_edits jsonb, p_text text, p_now timestamptz) returns jsonb language plpgsql immutable as $$
declare
  v_edits jsonb := coalesce(p_edits, '[]') || jsonb_build_object('text', p_text, 'replaced_at', p_now);
begin
  while jsonb_array_length(v_edits) > 20 or (jsonb_array_length(v_edits) > 1 and octet_length(v_edits::text) > 262144) loop
    v_edits := v_edits - 1;
  end loop;
  return v_edits;
end $$;
