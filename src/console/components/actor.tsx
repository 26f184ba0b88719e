/** Shows who did something: a person, an API token, an MCP client or an agent. */
import { Text } from '@mantine/core';
import { texts } from '../messages.ts';
import { IconKey, IconRobot, IconServers, type Icon } from './icons.tsx';
import { NameAvatar } from './name-avatar.tsx';
import { useNameOf } from './people.ts';

const { kinds } = texts.audit;

/**
 * Shows the name of the actor and what it is, unless it is a person. The text as it is recorded shows on hover: of a
 * person, this is the email.
 * @param props.isTool true for a tool action. Only these can have an agent as their actor: other texts that begin with
 * `agent` may be a name that a person chose.
 */
export function Actor({ text, isTool = false }: { text: string; isTool?: boolean }) {
  const { name, kind } = partsOf(text, isTool);
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

/** Shows an actor as `Actor` does, with an avatar, and a person by name if the user may know it (see `useNameOf`). */
export function ActorWithAvatar({ text, isTool = false }: { text: string; isTool?: boolean }) {
  const { kind, icon: Shown } = partsOf(text, isTool);
  if (kind === undefined && text.includes('@')) return <Person email={text} />;
  return (
    <span className="actor">
      <span className="actor-icon" aria-hidden>
        <Shown size={13} />
      </span>
      <Actor text={text} isTool={isTool} />
    </span>
  );
}

/** Shows a person by name, or by email if the user may not know the name. The email shows on hover. */
export function Person({ email }: { email: string }) {
  const name = useNameOf()(email) ?? email;
  return (
    <span className="actor" title={email}>
      <NameAvatar name={name} size={20} />
      <span>{name}</span>
    </span>
  );
}

/** Returns the name of the actor, followed by what it is in parentheses, unless it is a person. For use in a sentence. */
export function actorText(text: string): string {
  const { name, kind } = partsOf(text, false);
  return kind === undefined ? name : `${name} (${kind})`;
}

/** Reads a name and a kind from the recorded text of an actor, for example `API token Nightly job (pk_0Rxq7yIn…)`. */
function partsOf(text: string, isTool: boolean): { name: string; kind?: string; icon: Icon } {
  const [, token] = /^API token (.+) \(pk_\w+…\)$/.exec(text) ?? [];
  if (token !== undefined) return { name: token, kind: kinds.token, icon: IconKey };
  const [, client, email] = /^MCP client (.+) of ([^\s@]+@\S+)$/.exec(text) ?? [];
  if (client !== undefined && email !== undefined)
    return { name: client, kind: kinds.client(email), icon: IconKey };
  const [, agent] = /^agent (.+)$/.exec(text) ?? [];
  if (agent !== undefined && isTool) return { name: agent, kind: kinds.agent, icon: IconRobot };
  return { name: text, icon: IconServers };
}
