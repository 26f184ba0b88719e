/** The page of the organization's AI providers and default model. */
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ModelSettings } from '../../../contract/models/models.ts';
import { IconPlus, IconSparkles } from '../../components/icons.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useModels } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { DefaultModel } from './default-model.tsx';
import { FoundServers, LocalModelPanel } from './local-model.tsx';
import { ProviderCard } from './provider-card.tsx';
import { EditProvider } from './provider-dialogs.tsx';
import { usedFirst } from './provider-facts.ts';
import { ScriptedCard } from './scripted-card.tsx';

const t = texts.models;

/** @returns the first provider with models: its table shows the column heads of all; undefined if there is none */
const withHead = (settings: ModelSettings) => usedFirst(settings).find(({ models }) => models.length > 0);

export function Models() {
  const models = useModels();
  const can = useCan();
  const [isAdding, adding] = useDisclosure(false);
  const add = (
    <Button leftSection={<IconPlus />} onClick={adding.open}>
      {t.add}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={models.data?.providers.length === 0 ? undefined : add}>
      <Loaded query={models}>
        {(settings) => (
          <Stack gap="lg">
            {settings.providers.length > 0 && <DefaultModel settings={settings} />}
            {settings.providers.length === 0 ? (
              <Empty icon={IconSparkles} title={t.emptyTitle} text={t.emptyText}>
                {add}
              </Empty>
            ) : (
              <Section title={t.providers} label={t.table}>
                {usedFirst(settings).map((provider) => (
                  <ProviderCard
                    key={provider.id ?? `${provider.name} of the installation`}
                    provider={provider}
                    settings={settings}
                    hasHead={provider === withHead(settings)}
                  />
                ))}
                <ScriptedCard settings={settings} hasHead={withHead(settings) === undefined} />
              </Section>
            )}
            {can('models.manage') && (
              <>
                <LocalModelPanel />
                <FoundServers known={settings.providers} />
              </>
            )}
          </Stack>
        )}
      </Loaded>
      {isAdding && <EditProvider known={models.data?.providers ?? []} close={adding.close} />}
    </Page>
  );
}
