/** The page of the organization's AI providers and default model. */
import { Button, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ModelSettings } from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { IconPlus, IconSparkles } from '../../components/icons.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useModels } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { FoundServers, LocalModelPanel } from './local-model.tsx';
import { modelIds } from './model-ids.ts';
import { ProviderCard } from './provider-card.tsx';
import { EditProvider } from './provider-dialogs.tsx';

const t = texts.models;

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
              <Section title={t.providers} label={t.table} lead={t.prices.lead}>
                {settings.providers.map((provider) => (
                  <ProviderCard
                    key={provider.id ?? `${provider.name} of the installation`}
                    provider={provider}
                    settings={settings}
                  />
                ))}
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

/** Value of the option for the installation's default. No model has this id, because the id of a model has a slash. */
const installation = 'installation';

function DefaultModel({ settings }: { settings: ModelSettings }) {
  const { default_model, default_of, installation_default, providers } = settings;
  const saving = useMutation({
    mutationFn: (model: string | null) => call<ModelSettings>('PUT', '/default-model', { body: { model } }),
    meta: { done: t.defaultSaved, refetches: [['models'], ['agents']], notifiesError: true },
  });
  const own = default_of === 'organization' ? [default_model] : [];
  const ids = [...new Set([...own, ...modelIds(providers)])];
  return (
    <section className="panel" style={{ padding: 20 }} aria-label={t.defaultTitle}>
      <Select
        label={t.defaultTitle}
        description={t.defaultHelp}
        maw={560}
        readOnly={saving.isPending}
        data={[
          {
            value: installation,
            label: installation_default === null ? t.noDefault : t.installation(installation_default),
          },
          ...ids.map((id) => ({ value: id, label: id })),
        ]}
        value={default_of === 'organization' ? default_model : installation}
        onChange={(picked) => {
          if (picked !== null) saving.mutate(picked === installation ? null : picked);
        }}
      />
      {default_of === 'none' && (
        <Text size="sm" mt="sm">
          {t.missing.text}
        </Text>
      )}
    </section>
  );
}
