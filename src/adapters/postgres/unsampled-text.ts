/** Prevents ANALYZE from sampling users' texts, because the samples would remain after their rows are deleted. */
import type { ClientBase } from 'pg';

/**
 * SQL that turns off the statistics of columns of text, JSON and bytes and, on Postgres 18 or newer, deletes existing
 * ones. Skips a column whose check constraint lists the allowed values (states, kinds), because such a column contains
 * no texts of users. Does not skip a column because of a constraint on several columns, or one that only excludes
 * values.
 */
const forget = `
do $samples$
declare
  v_column record;
begin
  for v_column in
    select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
        and a.attnum > 0 and not a.attisdropped and coalesce(a.attstattarget, -1) <> 0
        and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) not like '%<> ALL%')
  loop
    execute format('alter table %I alter column %I set statistics 0', v_column.relname, v_column.attname);
    -- Postgres 18 can forget what was sampled before; an earlier one replaces it at its next analyze.
    if to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') is not null then
      execute format('select pg_clear_attribute_stats(%L, %L, %L, false)', 'public', v_column.relname, v_column.attname);
    end if;
  end loop;
end $samples$;
`;

/** Turns off the statistics of text columns. On Postgres 18 or newer, also deletes existing statistics. Idempotent. */
export async function keepNoSamplesOfText(client: ClientBase): Promise<void> {
  await client.query(forget);
}
