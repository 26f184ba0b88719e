-- The browser and the operating system of a session, as the account page shows them; null if they are unknown. The
-- header User-Agent, from which they are taken at the sign-in, is not stored.
alter table console_sessions add column browser text, add column system text;
update console_sessions set user_agent = null;
