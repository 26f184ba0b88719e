-- Returns the caps that apply to a call: always the caps of p_organization; if p_run is the id of a run, also the caps
-- of the run's token, agent, contact and conversation; if p_run is the id of an agent, also the caps of that agent.
-- If an organization and an agent both cap each contact or each conversation, the lower cap applies.
-- The subject of a cap is the id of what it limits. For a contact of a channel, that is the id of the contact's row;
-- for an API contact, a hash of its target and contact_id. Locks nothing.
create or replace function credit_caps_of(p_organization uuid, p_run uuid)
returns table (scope text, subject uuid, period text, max_credits numeric) language sql stable as $$
  select k.scope, k.subject, k.period, k.max_credits::numeric
    from organizations o left join runs r on r.id = p_run and r.organization_id = o.id
      left join conversations c on c.id = r.conversation_id left join agents a on a.id = coalesce(r.agent_id, p_run) and a.organization_id = o.id
      left join run_tokens u on u.run_id = r.id left join api_tokens t on t.id = u.token_id
      cross join lateral (select coalesce(c.channel_contact_id,
        case when c.contact_id is not null then md5(c.target_id || '/' || c.contact_id)::uuid end) as id) contact
      cross join lateral (values
        ('organization', o.id, 'day', o.credit_caps->'day'), ('organization', o.id, 'month', o.credit_caps->'month'),
        ('token', t.id, 'day', t.credit_caps->'day'), ('token', t.id, 'month', t.credit_caps->'month'),
        ('agent', a.id, 'day', a.credit_caps->'day'), ('agent', a.id, 'month', a.credit_caps->'month'),
        ('contact', contact.id, 'day', least(o.credit_caps->'contact_day', a.credit_caps->'contact_day')),
        ('contact', contact.id, 'month', least(o.credit_caps->'contact_month', a.credit_caps->'contact_month')),
        ('conversation', c.id, 'day', least(o.credit_caps->'conversation_day', a.credit_caps->'conversation_day')),
        ('conversation', c.id, 'month', least(o.credit_caps->'conversation_month', a.credit_caps->'conversation_month'))
      ) k (scope, subject, period, max_credits)
    where o.id = p_organization and k.subject is not null and k.max_credits is not null
$$;
