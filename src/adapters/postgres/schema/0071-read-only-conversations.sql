-- True: in this test conversation, calls of tools that may change data are not executed. So it is in trials, too.
alter table conversations add column read_only boolean not null default false;
