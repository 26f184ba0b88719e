/** Shows who did something: a person, an API token, an MCP client or an agent. */
import { Text } from '@mantine/core';
import { texts } from '../messages.ts';
import { IconKey, IconRobot, IconServers, type Icon } from './icons.tsx';
import { NameAvatar } from './name-avatar.tsx';
import { useNameOf } from './people.ts';
import { Hint } from './text.tsx';

const { kinds } = texts.audit;

/**
 * Shows the name of the actor and what it is, unless it is a person. A person is shown by name if the user may know it
 * (see `useNameOf`). The text as it is recorded shows on hover: of a person, this is the email.
 * @param props.text null if it is not known who did it
 * @param props.isTool true for a tool action. Only these can have an agent as their actor: other texts that begin with
 * `agent` may be a name that a person chose.
 */
export function Actor({ text, isTool = false }: { text: string | null; isTool?: boolean }) {
  const nameOf = useNameOf();
  if (text === null) return <Hint span>{texts.versions.unknownAuthor}</Hint>;
  const { name, kind } = partsOf(text, isTool, nameOf);
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

/** Shows an actor as `Actor` does, with an avatar. */
export function ActorWithAvatar({ text, isTool = false }: { text: string; isTool?: boolean }) {
  const { kind, icon: Shown } = partsOf(text, isTool, useNameOf());
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

/**
 * Returns a function that returns what `Actor` shows as a text, for use in a sentence: the name, followed by what it is in
 * parentheses, unless it is a person.
 */
export function useActorText(): (text: string) => string {
  const nameOf = useNameOf();
  return (text) => {
    const { name, kind } = partsOf(text, false, nameOf);
    return kind === undefined ? name : `${name} (${kind})`;
  };
}

/** Reads a name and a kind from the recorded text of an actor, for example `API token Nightly job (pk_0Rxq7yIn…)`. */
function partsOf(
  text: string,
  isTool: boolean,
  nameOf: (email: string) => string | undefined,
): { name: string; kind?: string; icon: Icon } {
  const [, token] = /^API token (.+) \(pk_\w+…\)$/.exec(text) ?? [];
  if (token !== undefined) return { name: token, kind: kinds.token, icon: IconKey };
  const [, client, email] = /^MCP client (.+) of ([^\s@]+@\S+)$/.exec(text) ?? [];
  if (client !== undefined && email !== undefined)
    return { name: client, kind: kinds.client(nameOf(email) ?? email), icon: IconServers };
  const [, agent] = /^agent (.+)$/.exec(text) ?? [];
  if (agent !== undefined && isTool) return { name: agent, kind: kinds.agent, icon: IconRobot };
  return { name: nameOf(text) ?? text, icon: IconServers };
}
