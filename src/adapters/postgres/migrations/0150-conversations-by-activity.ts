/** The console lists conversations by their last activity. */
export const up = `
create index conversations_by_activity on conversations (organization_id, updated_at desc, id desc);
`;
