/** Lets the user try a connected workspace: finds pages by their title, and explains what to do if there are none. */
import { Anchor, List, Stack, Text, TextInput } from '@mantine/core';
import type { DocsResult } from '../../../contract/workspace/actions.ts';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { call } from '../../client.ts';
import { DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { isObject } from '../../components/json.ts';
import { Hint, Multiline } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.tools.find;
/** Maximum number of pages that are shown. Chosen. */
const maxPages = 5;

interface FoundPage {
  id: string;
  title: string;
  /** Address in the workspace; absent unless it is a web address. */
  url?: string;
}

/** A button that opens a dialog with the search. @param props.autoFocus true if the button gets the focus at once */
export function FindPageButton({
  connection,
  autoFocus,
}: {
  connection: ToolConnection;
  autoFocus: boolean;
}) {
  return (
    <DialogButton size="xs" variant="default" label={t.open} autoFocus={autoFocus}>
      {(close) => <FindPage connection={connection} close={close} />}
    </DialogButton>
  );
}

function FindPage({ connection, close }: { connection: ToolConnection; close: () => void }) {
  const { id, workspace_name, integration_name } = connection;
  const finding = useServerForm({
    values: { query: '' },
    send: async ({ query }) => {
      const input = {
        fetch_type: 'pages',
        page_size: maxPages,
        ...(query.trim() !== '' && { query: query.trim() }),
      };
      const result = await call<DocsResult>('POST', '/tools/docs/actions/DOCS_FETCH_DATA', {
        body: { input, connection_id: id },
      });
      if (!result.successful) throw new Error(result.error ?? texts.tools.failed);
      return pagesIn(result.data);
    },
    meta: { refetches: [['tool-activity']] },
  });
  const { form, trying, answer } = finding;
  return (
    <FormDialog
      title={t.title(workspace_name ?? texts.tools.unnamed)}
      action={t.button}
      of={finding}
      close={close}
    >
      <Hint>{t.help}</Hint>
      <TextInput label={t.label} maxLength={200} data-autofocus {...form.getInputProps('query')} />
      {answer && !trying.isPending && trying.error === null && (
        <Found {...answer} integration={integration_name ?? t.integration} />
      )}
    </FormDialog>
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
