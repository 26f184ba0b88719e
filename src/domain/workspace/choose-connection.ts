/** Chooses the workspace connection with which an action runs. If several are connected, the caller must name one. */
export interface Choosable {
  id: string;
  status: 'pending' | 'connected' | 'needs_reconnect';
  workspace_name: string | null;
}

export type Choice<C> =
  | { kind: 'chosen'; connection: C }
  /** `message` explains the problem to a person or a model. */
  | { kind: 'unknown' | 'not_connected' | 'needs_reconnect' | 'several'; message: string };

const shown = ({ id, workspace_name }: Choosable): string => `${workspace_name ?? 'a workspace'} (${id})`;

/**
 * @param connections all connections of the organization
 * @param named ids of the connections in the agent's settings; null if the agent has no such setting
 * @returns the connections that the agent's tools may use. If `named` is null, this is the organization's only
 * connection, or none if there are several. Pending connections do not count. A connection that must be renewed
 * counts, because another one must not silently replace it.
 */
export function connectionsOfAgent<C extends Choosable>(
  connections: readonly C[],
  named: readonly string[] | null,
): readonly C[] {
  const usable = connections.filter(({ status }) => status !== 'pending');
  if (named !== null) return usable.filter(({ id }) => named.includes(id));
  return usable.length === 1 ? usable : [];
}

/**
 * Chooses the connection for an agent's tool call among those that the agent may use.
 * @returns `not_connected` if the organization has connections, but the agent may use none of them; otherwise as
 * `chooseConnection`. An error message never mentions a workspace that the agent may not use.
 */
export function chooseForAgent<C extends Choosable>(
  connections: readonly C[],
  named: readonly string[] | null,
  wantedId: string | null | undefined,
): Choice<C> {
  const allowed = connectionsOfAgent(connections, named);
  const isAnyUsable = connections.some(({ status }) => status !== 'pending');
  return allowed.length === 0 && isAnyUsable
    ? { kind: 'not_connected', message: 'This agent may use no workspace: set its connections.' }
    : chooseConnection(allowed, wantedId);
}

/**
 * Chooses the wanted connection or, if `wantedId` is null or undefined, the only connected one.
 * @param connections the connections that the caller may use
 * @returns `chosen` with the connection; otherwise the reason with an error message: the wanted connection is unknown
 * or cannot be used, or no connection was wanted, and the number of connected ones is not one
 */
export function chooseConnection<C extends Choosable>(
  connections: readonly C[],
  wantedId: string | null | undefined,
): Choice<C> {
  const wanted = wantedId == null ? undefined : connections.find(({ id }) => id === wantedId);
  if (wantedId != null && wanted === undefined)
    return { kind: 'unknown', message: `There is no connection ${wantedId}.` };
  if (wanted !== undefined) return usable(wanted);
  const connected = connections.filter(({ status }) => status === 'connected');
  const [only, another] = connected;
  if (only !== undefined && another === undefined) return { kind: 'chosen', connection: only };
  if (another !== undefined) {
    return {
      kind: 'several',
      message: `Several workspaces are connected: give connection_id, one of ${connected.map(shown).join(', ')}.`,
    };
  }
  const [lost] = connections.filter(({ status }) => status === 'needs_reconnect');
  return lost === undefined
    ? { kind: 'not_connected', message: 'No document workspace is connected: connect one in Tools.' }
    : usable(lost);
}

function usable<C extends Choosable>(connection: C): Choice<C> {
  switch (connection.status) {
    case 'connected':
      return { kind: 'chosen', connection };
    case 'pending':
      return { kind: 'not_connected', message: 'The connection has not been authorized yet.' };
    case 'needs_reconnect':
      return {
        kind: 'needs_reconnect',
        message: `The workspace ${shown(connection)} refuses the connection: connect it again in Tools.`,
      };
  }
}
