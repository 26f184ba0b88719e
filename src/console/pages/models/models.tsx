/** The page of the organization's AI providers and default model. */
import { Badge, Button, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { IconPlus, IconSparkles } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useModels } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Ago, Hint, Nothing } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { FoundServers, LocalModelPanel } from './local-model.tsx';
import { modelIds } from './model-ids.ts';
import { ModelPrices } from './model-prices.tsx';
import { EditProvider, TestProvider } from './provider-dialogs.tsx';

const t = texts.models;

const columns: readonly Column<ModelProvider>[] = [
  { label: t.columns.name, render: ({ name }) => <span className="mono">{name}</span> },
  {
    label: t.columns.kind,
    render: ({ kind, base_url }) => (
      <>
        {t.kinds[kind]}
        {base_url !== null && <Hint size="xs">{base_url}</Hint>}
      </>
    ),
  },
  {
    label: t.columns.models,
    render: ({ models }) => (models.length === 0 ? <Nothing /> : models.join(', ')),
  },
  {
    label: t.columns.key,
    render: ({ id, has_key }) =>
      id === null ? (
        <Badge color="gray" title={t.lockedHelp}>
          {t.locked}
        </Badge>
      ) : (
        <Badge color={has_key ? 'green' : 'gray'}>{has_key ? t.keys.stored : t.keys.none}</Badge>
      ),
  },
  {
    label: t.columns.changed,
    render: ({ updated_at }) => (updated_at === null ? <Nothing /> : <Ago at={updated_at} />),
  },
];

export function Models() {
  const models = useModels();
  const can = useCan();
  const [isAdding, adding] = useDisclosure(false);
  const add = (
    <Button leftSection={<IconPlus />} onClick={adding.open}>
      {t.add}
    </Button>
  );
  const actionsOf = (provider: ModelProvider) =>
    provider.id !== null && (
      <RowActions
        name={provider.name}
        actions={[
          { label: t.test, dialog: (close) => <TestProvider provider={provider} close={close} /> },
          { label: t.edit, dialog: (close) => <EditProvider provider={provider} close={close} /> },
          deletion({
            ...t.remove(provider.name),
            path: `/model-providers/${provider.id}`,
            query: 'models',
          }),
        ]}
      />
    );
  return (
    <Page title={t.title} lead={t.lead} actions={models.data?.providers.length === 0 ? undefined : add}>
      <Loaded query={models}>
        {(settings) => (
          <Stack gap="lg">
            {settings.providers.length > 0 && <DefaultModel settings={settings} />}
            <DataTable
              label={t.table}
              rows={settings.providers}
              rowKey={({ id, name }) => id ?? name}
              columns={columns}
              actions={actionsOf}
              empty={
                <Empty icon={IconSparkles} title={t.emptyTitle} text={t.emptyText}>
                  {add}
                </Empty>
              }
            />
            {settings.providers.length > 0 && <ModelPrices settings={settings} />}
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
        disabled={saving.isPending}
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
