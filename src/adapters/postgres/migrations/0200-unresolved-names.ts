/** Since when the name of a callback's receiver cannot be resolved: it is looked up again for a time, before the claim. */
export const up = `
alter table deliveries add unresolved_since timestamptz;
`;
