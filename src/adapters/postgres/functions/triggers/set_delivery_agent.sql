-- Sets the agent in whose list a delivery appears: an alert's own, otherwise the run's.
create or replace function set_delivery_agent() returns trigger language plpgsql as $$
begin
  new.of_agent_id := coalesce(new.agent_id, (select r.agent_id from runs r where r.id = new.run_id));
  return new;
end $$;
