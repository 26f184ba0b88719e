/** In local mode: a button that runs a small model on this computer, and the model servers that were found on it. */
import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LocalModel, ModelServers } from '../../../contract/models/local-model.ts';
import type { ModelProvider } from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { IconCheck } from '../../components/icons.tsx';
import { useRead } from '../../components/queries.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { EditProvider, type FoundServer } from './provider-dialogs.tsx';

const t = texts.models.local;
const { found: f } = texts.models;

/** Milliseconds between two reads while the model is fetched or starts. Chosen. */
const pollMs = 1000;

const isStarting = (state: LocalModel['state'] | undefined) => state === 'fetching' || state === 'starting';

export function LocalModelPanel() {
  const client = useQueryClient();
  const { data } = useRead<LocalModel>(['local-model'], '/local-model', {
    refetchInterval: ({ state }) => (isStarting(state.data?.state) ? pollMs : false),
  });
  const state = data?.state;
  useEffect(() => {
    if (state !== 'ready') return;
    for (const key of ['models', 'agents', 'health']) void client.invalidateQueries({ queryKey: [key] });
  }, [state, client]);
  if (data === undefined || state === 'unavailable') return null;
  const { model, downloads, progress, problem } = data;
  return (
    <section className="panel" style={{ padding: 20 }} aria-label={t.title}>
      <Stack gap="sm">
        <Text fw={600}>{t.title}</Text>
        {state === 'ready' ? (
          <Alert color="green" role="status" icon={<IconCheck size={20} />} title={t.ready(model ?? '')} />
        ) : (
          <>
            <Text size="sm">{t.text}</Text>
            <Hint>{t.fetches}</Hint>
            <List size="sm">
              {downloads.map(({ name, licence, megabytes, source }) => (
                <List.Item key={name}>{t.download(name, licence, megabytes, source)}</List.Item>
              ))}
            </List>
            <Hint>{t.firstOf}</Hint>
            {state === 'failed' && (
              <Alert color="red" role="alert" title={t.failed}>
                {problem}
              </Alert>
            )}
            {isStarting(state) ? (
              <Group gap="sm" role="status">
                <Loader size="sm" />
                <Text size="sm">{progress ?? (state === 'starting' ? t.starting : t.fetching)}</Text>
              </Group>
            ) : (
              <ActionButton
                style={{ alignSelf: 'flex-start' }}
                label={t.run}
                run={() => call<LocalModel>('POST', '/local-model')}
                refetches={[['local-model']]}
              />
            )}
          </>
        )}
      </Stack>
    </section>
  );
}

/** @param props.known the existing providers, whose names are taken */
export function FoundServers({ known }: { known: readonly ModelProvider[] }) {
  const servers = useRead<ModelServers>(['model-servers'], '/model-servers', { staleTime: Infinity });
  const [used, use] = useState<FoundServer>();
  if (servers.data?.offered !== true) return null;
  const { data } = servers.data;
  return (
    <section className="panel" style={{ padding: 20 }} aria-label={f.title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{f.title}</Text>
          <Button
            variant="default"
            size="xs"
            loading={servers.isFetching}
            onClick={() => void servers.refetch()}
          >
            {f.search}
          </Button>
        </Group>
        {data.length === 0 && <Hint>{f.none}</Hint>}
        {data.map((server) => (
          <Group key={server.base_url} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm">{f.models(server.program, server.models)}</Text>
              <Hint size="xs">{server.base_url}</Hint>
            </div>
            <Button variant="default" size="xs" onClick={() => use(server)}>
              {f.use(server.program)}
            </Button>
          </Group>
        ))}
      </Stack>
      {used !== undefined && <EditProvider found={used} known={known} close={() => use(undefined)} />}
    </section>
  );
}
