/** Shows who did something: a person, an API token, an MCP client or an agent. */
import { Text } from '@mantine/core';
import { texts } from '../messages.ts';

const { kinds } = texts.audit;

/**
 * Shows the name of the actor and what it is, unless it is a person. The text as it is recorded shows on hover.
 * @param props.isTool true for a tool action. Only these can have an agent as their actor: other texts that begin with
 * `agent` may be a name that a person chose.
 */
export function Actor({ text, isTool = false }: { text: string; isTool?: boolean }) {
  const [name, kind] = partsOf(text, isTool);
  return (
    <span title={text}>
      {name}
      {kind !== undefined && (
        <>
          {' '}
          <Text span inherit c="dimmed">
            {kind}
          </Text>
        </>
      )}
    </span>
  );
}

/** Returns the name of the actor, followed by what it is in parentheses, unless it is a person. For use in a sentence. */
export function actorText(text: string): string {
  const [name, kind] = partsOf(text, false);
  return kind === undefined ? name : `${name} (${kind})`;
}

/** Splits the recorded text of an actor, for example `API token Nightly job (pk_0Rxq7yIn…)`, into a name and a kind. */
function partsOf(text: string, isTool: boolean): [name: string, kind?: string] {
  const [, token] = /^API token (.+) \(pk_\w+…\)$/.exec(text) ?? [];
  if (token !== undefined) return [token, kinds.token];
  const [, client, email] = /^MCP client (.+) of ([^\s@]+@\S+)$/.exec(text) ?? [];
  if (client !== undefined && email !== undefined) return [client, kinds.client(email)];
  const [, agent] = /^agent (.+)$/.exec(text) ?? [];
  return agent === undefined || !isTool ? [text] : [agent, kinds.agent];
}
