import { Badge, Stack } from '@mantine/core';
import type { HttpEffect } from '../../../contract/http-tools/http-tools.ts';
import { useAllAgents } from '../../components/queries.ts';
import { Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const colors = { read: 'gray', write: 'indigo', destructive: 'red' } as const;

export function EffectBadge({ effect }: { effect: HttpEffect }) {
  return <Badge color={colors[effect]}>{texts.httpTools.effects[effect]}</Badge>;
}

/** Maximum number of agents whose settings a row links to. Chosen. */
const maxLinked = 3;

/**
 * The effect of a tool, and whether an agent that has it asks a person before it calls it. Marks a tool that changes data
 * if agents have it and none of them asks, and links to the settings of the first ones.
 */
export function EffectAndApproval({ tool, effect }: { tool: string; effect: HttpEffect }) {
  const users = (useAllAgents().data ?? []).filter(({ tools }) => tools.includes(tool));
  const asking = users.filter(({ tool_policies }) =>
    tool_policies.some((one) => one.tool === tool && one.policy === 'ask'),
  );
  return (
    <Stack gap={4} align="flex-start">
      <EffectBadge effect={effect} />
      {asking.length > 0 && (
        <Badge color="yellow" title={texts.httpTools.approvalBy(asking.map(({ name }) => name).join(', '))}>
          {texts.httpTools.needsApproval}
        </Badge>
      )}
      {effect !== 'read' && users.length > 0 && asking.length === 0 && (
        <div className="without-approval">
          <Hint size="xs">{texts.httpTools.withoutApproval}</Hint>
          {users.slice(0, maxLinked).map(({ id, name }) => (
            <TextLink
              key={id}
              to={`/agents/${id}?${new URLSearchParams({ tab: 'tools', tool }).toString()}`}
              size="xs"
              display="block"
            >
              {texts.httpTools.requireApproval(name)}
            </TextLink>
          ))}
        </div>
      )}
    </Stack>
  );
}

/** The label of the button that tries a tool, which warns of a tool that changes something. */
export const tryLabel = (effect: HttpEffect): string =>
  effect === 'read' ? texts.httpTools.try : texts.httpTools.tryChange;
