/** An invitation is found by the hash of what its link holds; the link itself is kept nowhere. */
export const up = `
alter table console_invitations add token_hash text;
create unique index console_invitations_by_token on console_invitations (token_hash);
`;
