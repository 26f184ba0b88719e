/** Counters of calls, in the shape of rate-limiter-flexible. Lost at a crash of Postgres, which only lets more calls through. */
export const up = `
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
`;
