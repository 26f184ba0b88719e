/** What is known of the whole installation. */
export const up = `
create table installation (
  name text primary key,
  value text not null
);
`;
