/** The built-in scripted model, which answers from the test replies of agents. */
import { Badge, Stack } from '@mantine/core';
import type { ModelSettings } from '../../../contract/models/models.ts';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import { IconMessages } from '../../components/icons.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { ProviderHead } from './provider-card.tsx';
import { ModelTable } from './provider-models.tsx';

const t = texts.models;

/** Renders nothing if no agent uses the scripted model. */
export function ScriptedCard({ settings, hasHead }: { settings: ModelSettings; hasHead: boolean }) {
  if ((settings.used_by[scriptedModelId] ?? 0) === 0) return null;
  return (
    <Stack component="article" aria-label={t.scripted} className="panel provider" p="md" gap="sm">
      <ProviderHead
        icon={IconMessages}
        title={t.scripted}
        marks={<Badge color="gray">{t.builtIn}</Badge>}
        facts={t.scriptedHelp}
      />
      <ModelTable
        label={t.modelsOf(t.scripted)}
        models={[scriptedModelId]}
        priceOf={() => <Hint span>{t.prices.free}</Hint>}
        settings={settings}
        hasHead={hasHead}
      />
    </Stack>
  );
}
