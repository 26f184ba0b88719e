/** Bugs of the reservation, planted into a database by the SQL that would have them; each must be noticed. */

/** Statements that rename the product's function, and put one with the bug in its place. */
function instead(name: 'reserve_credits' | 'settle_credits', planted: string): string {
  const parameters = {
    reserve_credits: 'uuid, uuid, uuid, numeric, double precision',
    settle_credits: 'uuid, numeric',
  }[name];
  return `alter function ${name}(${parameters}) rename to real_${name}; ${planted}`;
}

export const plants = {
  'settle without release': instead(
    'settle_credits',
    `create function settle_credits(p_id uuid, p_credits numeric) returns boolean language plpgsql as $$
     declare v credit_reservations;
     begin
       delete from credit_reservations where id = p_id returning * into v;
       update credit_windows set settled = settled + coalesce(p_credits, v.credits) where id = any(v.windows);
       return found;
     end $$`,
  ),
  // The most that the output can cost is 2 credits: see races.ts.
  'reserve the input only': instead(
    'reserve_credits',
    `create function reserve_credits(p_id uuid, p_organization uuid, p_run uuid, p_credits numeric, p_seconds double precision)
     returns jsonb language sql as $$ select real_reserve_credits(p_id, p_organization, p_run, p_credits - 2, p_seconds) $$`,
  ),
  'release on death at once': instead(
    'reserve_credits',
    `create table planted_calls (run_id uuid primary key, id uuid not null, organization_id uuid);
     grant all on planted_calls to public;
     create function reserve_credits(p_id uuid, p_organization uuid, p_run uuid, p_credits numeric, p_seconds double precision)
     returns jsonb language plpgsql as $$
     begin
       perform settle_credits(id, 0) from planted_calls where run_id = p_run;
       insert into planted_calls values (p_run, p_id, p_organization) on conflict (run_id) do update set id = excluded.id;
       return real_reserve_credits(p_id, p_organization, p_run, p_credits, p_seconds);
     end $$`,
  ),
} as const;

export type Plant = keyof typeof plants;
