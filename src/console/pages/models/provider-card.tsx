/** An AI provider: its kind, its key, when it was last tested and saved, its actions, and its models with their prices. */
import { Badge, Group, Stack, Title } from '@mantine/core';
import type { ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Ago, Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { PricedModels } from './model-prices.tsx';
import { EditProvider, TestProvider } from './provider-dialogs.tsx';

const t = texts.models;

/** A provider that the environment sets up has no actions, because it cannot be changed here. */
export function ProviderCard({ provider, settings }: { provider: ModelProvider; settings: ModelSettings }) {
  const { id, name, kind, base_url, has_key, updated_at } = provider;
  return (
    <Stack component="article" aria-label={name} className="panel" p="md" gap="sm">
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="xs">
            <Title order={3} size="h5">
              {name}
            </Title>
            {id === null ? (
              <Badge color="gray">{t.locked}</Badge>
            ) : (
              <Badge color={has_key ? 'green' : 'gray'}>{has_key ? t.keys.stored : t.keys.none}</Badge>
            )}
          </Group>
          <Hint>
            {base_url === null ? t.kinds[kind] : `${t.kinds[kind]} · ${base_url}`}
            {id !== null && (
              <>
                {' · '}
                {t.tested} <Ago at={updated_at} />
              </>
            )}
          </Hint>
          {id === null && <Hint>{t.lockedHelp}</Hint>}
        </div>
        {id !== null && (
          <Group gap={6} wrap="nowrap">
            <RowActions
              name={name}
              actions={[
                { label: t.test, dialog: (close) => <TestProvider provider={provider} close={close} /> },
                { label: t.edit, dialog: (close) => <EditProvider provider={provider} close={close} /> },
                deletion({ ...t.remove(name), path: `/model-providers/${id}`, query: 'models' }),
              ]}
            />
          </Group>
        )}
      </Group>
      <PricedModels provider={provider} settings={settings} />
    </Stack>
  );
}
