-- Time limit of one model call of an agent, in seconds. Null: the installation's (MODEL_TIMEOUT_SECONDS).
alter table agents add column model_timeout_seconds integer check (model_timeout_seconds between 1 and 480);
