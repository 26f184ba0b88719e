/** An AI provider: its title, its key, whether it answers, its actions, and its models. */
import { Alert, Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isOwnServer } from '../../../contract/models/limits.ts';
import type { ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { DialogButton } from '../../components/dialogs.tsx';
import { IconCheck, IconServers, type Icon } from '../../components/icons.tsx';
import { NameAvatar } from '../../components/name-avatar.tsx';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { IconTile } from '../../components/rows.tsx';
import { Ago, Breakable, Hint, Multiline } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { SetPrices } from './model-prices.tsx';
import { EditProvider, TestProvider } from './provider-dialogs.tsx';
import { stateOf, titleOf, usesOf, type State } from './provider-facts.ts';
import { ProviderModels } from './provider-models.tsx';

const t = texts.models;

/** Of a provider that the environment sets up, only the prices can be changed here. */
export function ProviderCard(props: { provider: ModelProvider; settings: ModelSettings; hasHead: boolean }) {
  const { provider, settings, hasHead } = props;
  const mayManage = useCan()('models.manage');
  const { id, name, kind, base_url, has_key } = provider;
  const state = stateOf(provider, settings);
  const isFailing = state !== undefined && state.error !== null;
  const isUsed = usesOf(provider, settings) > 0;
  const title = titleOf(provider);
  const test = {
    label: t.test,
    dialog: (close: () => void) => <TestProvider provider={provider} close={close} />,
  };
  const edit = {
    label: t.edit,
    dialog: (close: () => void) => <EditProvider provider={provider} close={close} />,
  };
  const facts = [
    ...(title === t.kinds[kind] ? [] : [t.kinds[kind]]),
    ...(base_url === null ? [] : [base_url]),
    id === null ? t.lockedHelp : keyOf({ kind, has_key }),
  ];
  return (
    <Stack component="article" aria-label={name} className="panel provider" p="md" gap="sm">
      <div className="card-head">
        <ProviderHead
          {...(title === t.kinds.compatible && { icon: IconServers })}
          title={title}
          name={name}
          marks={
            <>
              {id === null && <Badge color="gray">{t.locked}</Badge>}
              {isFailing && <Badge color="red">{t.doesNotWork}</Badge>}
            </>
          }
          facts={<Breakable text={facts.join(' · ')} />}
        />
        <div className="card-actions">
          {!isFailing && <Works state={state} isOwn={id !== null} />}
          {mayManage && (
            <RowActions
              name={name}
              buttons={isFailing && id !== null ? 0 : 1}
              actions={[
                id !== null && !isFailing && test,
                id !== null && !isFailing && edit,
                provider.models.length > 0 && {
                  label: t.prices.set,
                  dialog: (close) => <SetPrices {...{ provider, settings, close }} />,
                },
                id !== null &&
                  deletion({ ...t.remove(name), path: `/model-providers/${id}`, query: 'models' }),
              ]}
            />
          )}
        </div>
      </div>
      {isFailing && (
        <Alert color="red" py="xs">
          <Group justify="space-between" gap="xs">
            <div className="provider-failure">
              <Multiline>{state.error}</Multiline>
              <Hint size="xs" className="dotted">
                <span>{state.tested === null ? t.failedCall : t.failedTest(state.tested)}</span>
                <Ago at={state.at} />
                {!isUsed && <span>{t.noAgentUses}</span>}
                {id === null && <span>{t.failedLocked}</span>}
              </Hint>
            </div>
            {mayManage && id !== null && (
              <Group gap="xs">
                <DialogButton size="xs" {...(!isUsed && { variant: 'default' })} label={t.editAccess}>
                  {edit.dialog}
                </DialogButton>
                <DialogButton size="xs" variant="default" label={t.testAgain}>
                  {test.dialog}
                </DialogButton>
              </Group>
            )}
          </Group>
        </Alert>
      )}
      <ProviderModels provider={provider} settings={settings} hasHead={hasHead} />
    </Stack>
  );
}

/**
 * @param props.icon by default the initials of the title
 * @param props.name the name with which the ids of the provider's models begin; shown unless the title says it
 */
export function ProviderHead(props: {
  icon?: Icon;
  title: string;
  name?: string;
  marks: ReactNode;
  facts: ReactNode;
}) {
  const { icon, title, name, marks, facts } = props;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" className="provider-head">
      {icon === undefined ? <NameAvatar name={title} size={40} isSquare /> : <IconTile icon={icon} />}
      <div>
        <Group gap="2px 8px" align="baseline" mb={2}>
          <Title order={3} size="h5">
            {title}
          </Title>
          {name !== undefined && name !== title.toLowerCase() && (
            <Text span c="dimmed" className="mono">
              {name}
            </Text>
          )}
          {marks}
        </Group>
        <Hint>{facts}</Hint>
      </div>
    </Group>
  );
}

function Works({ state, isOwn }: { state: State | undefined; isOwn: boolean }) {
  if (state === undefined) return <Hint>{isOwn ? t.notTested : t.notCalled}</Hint>;
  return (
    <Text size="sm" className="works">
      <IconCheck />
      <span>
        {state.tested === null ? t.worksCalled : t.worksTested} <Ago at={state.at} />
      </span>
    </Text>
  );
}

/** Whether a key is stored. A server of the organization that was saved without a key has passed its test without one. */
function keyOf({ kind, has_key }: Pick<ModelProvider, 'kind' | 'has_key'>): string {
  if (has_key) return t.keys.stored;
  return isOwnServer(kind) ? t.keys.notNeeded : t.keys.none;
}
