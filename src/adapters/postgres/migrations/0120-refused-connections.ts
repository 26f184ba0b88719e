/** Connections that the workspace refuses are looked at again, sooner at first. */
export const up = `
alter table tool_connections add refused_at timestamptz, add next_check_at timestamptz;
update tool_connections set refused_at = updated_at, next_check_at = now() where status = 'needs_reconnect';
create index tool_connections_to_check on tool_connections (next_check_at) where status = 'needs_reconnect';
`;
