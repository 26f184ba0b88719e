/** The built-in scripted model, which answers from the test replies of agents. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ModelSettings } from '../../../contract/models/models.ts';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import { countText } from '../../components/format.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { ProviderTitle } from './provider-card.tsx';

const t = texts.models;

/** Renders nothing if no agent uses the scripted model. */
export function ScriptedCard({ settings: { used_by } }: { settings: ModelSettings }) {
  const agents = used_by[scriptedModelId] ?? 0;
  if (agents === 0) return null;
  return (
    <Stack component="article" aria-label={t.scripted} className="panel provider" p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <ProviderTitle title={t.scripted} name={scriptedModelId}>
            <Badge color="gray">{t.builtIn}</Badge>
          </ProviderTitle>
          <Hint>{t.scriptedHelp}</Hint>
        </div>
        <Text size="sm">{t.agents(agents, countText(agents))}</Text>
      </Group>
    </Stack>
  );
}
