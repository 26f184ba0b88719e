/** Lets the user try a connected workspace: finds pages by their title, and explains what to do if there are none. */
import { Anchor, Button, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DocsResult } from '../../../contract/workspace/actions.ts';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { call } from '../../client.ts';
import { isObject } from '../../components/json.ts';
import { Problem } from '../../components/states.tsx';
import { Hint, Multiline } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { WorkspaceSelect } from './workspace-select.tsx';

const t = texts.tools.find;
/** Maximum number of pages that are shown. Chosen. */
const maxPages = 5;

interface FoundPage {
  id: string;
  title: string;
  /** Address in the workspace; absent unless it is a web address. */
  url?: string;
}

/** Renders nothing if no workspace is connected. @param props.takesFocus true if the field gets the focus at once */
export function FindPage(props: { connections: readonly ToolConnection[]; takesFocus: boolean }) {
  const connected = props.connections.filter(({ status }) => status === 'connected');
  const [first] = connected;
  return first === undefined ? null : <Finding {...{ connected, first }} takesFocus={props.takesFocus} />;
}

function Finding(props: {
  connected: readonly ToolConnection[];
  first: ToolConnection;
  takesFocus: boolean;
}) {
  const { connected, first, takesFocus } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const workspaceOf = (id: string) => connected.find((one) => one.id === id) ?? first;
  const { form, submit, trying, answer } = useServerForm({
    values: { query: '', connection: first.id },
    send: async ({ query, connection }) => {
      const { id, integration_name } = workspaceOf(connection);
      const input = {
        fetch_type: 'pages',
        page_size: maxPages,
        ...(query.trim() !== '' && { query: query.trim() }),
      };
      const result = await call<DocsResult>('POST', '/tools/docs/actions/DOCS_FETCH_DATA', {
        body: { input, connection_id: id },
      });
      if (!result.successful) throw new Error(result.error ?? texts.tools.failed);
      return { ...pagesIn(result.data), integration: integration_name ?? t.integration };
    },
    meta: { refetches: [['tool-activity']] },
  });
  const title = t.title(workspaceOf(form.values.connection).workspace_name ?? texts.tools.unnamed);
  return (
    <form noValidate onSubmit={submit} aria-label={title} className="panel card">
      <Stack gap="sm">
        <div>
          <Title order={3} size="h5">
            {title}
          </Title>
          <Hint>{t.help}</Hint>
        </div>
        <WorkspaceSelect
          workspaces={connected}
          value={workspaceOf(form.values.connection).id}
          onChange={(id) => form.setFieldValue('connection', id)}
        />
        <Group align="end" gap="sm">
          <TextInput
            ref={field}
            label={t.label}
            maxLength={200}
            flex="1 1 200px"
            {...form.getInputProps('query')}
          />
          <Button type="submit" variant="default" loading={trying.isPending}>
            {t.button}
          </Button>
        </Group>
        <Problem of={trying} />
        {answer && !trying.isPending && trying.error === null && <Found {...answer} />}
      </Stack>
    </form>
  );
}

function Found({ pages, hasMore, integration }: ReturnType<typeof pagesIn> & { integration: string }) {
  if (pages.length === 0)
    return (
      <Stack gap="xs" role="status">
        <Multiline>{t.none(integration)}</Multiline>
        <Multiline>{t.share(integration)}</Multiline>
      </Stack>
    );
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{t.found(pages.length, hasMore)}</Text>
      <List size="sm">
        {pages.map(({ id, title, url }) => (
          <List.Item key={id} className="plain-text">
            {url === undefined ? (
              title
            ) : (
              <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
                {title}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Reads the result of the action. Ignores everything in it that is not an object with an id. */
function pagesIn(data: string): { pages: FoundPage[]; hasMore: boolean } {
  const found: unknown = JSON.parse(data);
  const results: unknown = isObject(found) ? found['results'] : undefined;
  const pages = (Array.isArray(results) ? results : []).flatMap((one: unknown): FoundPage[] => {
    if (!isObject(one) || typeof one['id'] !== 'string') return [];
    const { id, title, url } = one;
    return [
      {
        id,
        title: typeof title === 'string' && title.trim() !== '' ? title : t.untitled,
        ...(typeof url === 'string' && /^https?:\/\//.test(url) && { url }),
      },
    ];
  });
  return { pages, hasMore: isObject(found) && found['has_more'] === true };
}
