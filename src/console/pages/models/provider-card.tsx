/** An AI provider: its kind, its key, when it was last tested and saved, its actions, and its models. */
import { Badge, Group, Stack, Title } from '@mantine/core';
import { isOwnServer, type ModelProvider, type ModelSettings } from '../../../contract/models/models.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Ago, Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { SetPrices } from './model-prices.tsx';
import { EditProvider, TestProvider } from './provider-dialogs.tsx';
import { ProviderModels } from './provider-models.tsx';

const t = texts.models;

/** Of a provider that the environment sets up, only the prices can be changed here. */
export function ProviderCard({ provider, settings }: { provider: ModelProvider; settings: ModelSettings }) {
  const mayManage = useCan()('models.manage');
  const { id, name, kind, base_url, has_key, updated_at } = provider;
  return (
    <Stack component="article" aria-label={name} className="panel provider" p="md" gap="sm">
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="xs">
            <Title order={3} size="h5">
              {name}
            </Title>
            {id === null ? <Badge color="gray">{t.locked}</Badge> : <KeyBadge {...{ kind, has_key }} />}
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
        {mayManage && (
          <Group gap={6} wrap="nowrap">
            <RowActions
              name={name}
              actions={[
                id !== null && {
                  label: t.test,
                  dialog: (close) => <TestProvider provider={provider} close={close} />,
                },
                id !== null && {
                  label: t.edit,
                  dialog: (close) => <EditProvider provider={provider} close={close} />,
                },
                provider.models.length > 0 && {
                  label: t.prices.set,
                  dialog: (close) => <SetPrices {...{ provider, settings, close }} />,
                },
                id !== null &&
                  deletion({ ...t.remove(name), path: `/model-providers/${id}`, query: 'models' }),
              ]}
            />
          </Group>
        )}
      </Group>
      <ProviderModels provider={provider} settings={settings} />
    </Stack>
  );
}

/** Whether a key is stored. A server of the organization that was saved without a key has passed its test without one. */
function KeyBadge({ kind, has_key }: Pick<ModelProvider, 'kind' | 'has_key'>) {
  if (has_key) return <Badge color="green">{t.keys.stored}</Badge>;
  return isOwnServer(kind) ? (
    <Badge color="gray">{t.keys.notNeeded}</Badge>
  ) : (
    <Badge color="yellow">{t.keys.none}</Badge>
  );
}
