/** An AI provider: its kind, its key, whether its last test succeeded, its actions, and its models. */
import { Alert, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { isOwnServer } from '../../../contract/models/limits.ts';
import type { ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { DialogButton } from '../../components/dialogs.tsx';
import { IconCheck } from '../../components/icons.tsx';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Ago, Hint, Multiline } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { SetPrices } from './model-prices.tsx';
import { EditProvider, TestProvider } from './provider-dialogs.tsx';
import { ProviderModels } from './provider-models.tsx';

const t = texts.models;

/** Of a provider that the environment sets up, only the prices can be changed here. */
export function ProviderCard({ provider, settings }: { provider: ModelProvider; settings: ModelSettings }) {
  const mayManage = useCan()('models.manage');
  const { id, name, kind, base_url, has_key, tested } = provider;
  const hasFailed = tested !== null && tested.error !== null;
  const test = {
    label: t.test,
    dialog: (close: () => void) => <TestProvider provider={provider} close={close} />,
  };
  const edit = {
    label: t.edit,
    dialog: (close: () => void) => <EditProvider provider={provider} close={close} />,
  };
  return (
    <Stack component="article" aria-label={name} className="panel provider" p="md" gap="sm">
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="xs">
            <Title order={3} size="h5">
              {name}
            </Title>
            {id === null && <Badge color="gray">{t.locked}</Badge>}
            {hasFailed && <Badge color="red">{t.doesNotWork}</Badge>}
          </Group>
          <Hint>
            {[
              t.kinds[kind],
              ...(base_url === null ? [] : [base_url]),
              ...(id === null ? [] : [keyOf({ kind, has_key })]),
            ].join(' · ')}
          </Hint>
          {id === null && <Hint>{t.lockedHelp}</Hint>}
        </div>
        <Group gap="sm">
          {id !== null && !hasFailed && <Works tested={tested} />}
          {mayManage && (
            <Group gap={6} wrap="nowrap">
              <RowActions
                name={name}
                buttons={hasFailed ? 0 : 1}
                actions={[
                  id !== null && !hasFailed && test,
                  id !== null && !hasFailed && edit,
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
      </Group>
      {hasFailed && (
        <Alert color="red" title={t.failedTest(tested.model)}>
          <Multiline>{tested.error}</Multiline>
          <Group gap="sm" mt="sm">
            {mayManage && (
              <>
                <DialogButton size="xs" label={t.editAccess}>
                  {edit.dialog}
                </DialogButton>
                <DialogButton size="xs" variant="default" label={t.testAgain}>
                  {test.dialog}
                </DialogButton>
              </>
            )}
            <Hint>
              {t.tested} <Ago at={tested.at} />
            </Hint>
          </Group>
        </Alert>
      )}
      <ProviderModels provider={provider} settings={settings} />
    </Stack>
  );
}

function Works({ tested }: Pick<ModelProvider, 'tested'>) {
  if (tested === null) return <Hint>{t.notTested}</Hint>;
  return (
    <Text size="sm" className="works">
      <IconCheck />
      <span>
        {t.worksTested} <Ago at={tested.at} />
      </span>
    </Text>
  );
}

/** Whether a key is stored. A server of the organization that was saved without a key has passed its test without one. */
function keyOf({ kind, has_key }: Pick<ModelProvider, 'kind' | 'has_key'>): string {
  if (has_key) return t.keys.stored;
  return isOwnServer(kind) ? t.keys.notNeeded : t.keys.none;
}
