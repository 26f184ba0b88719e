/** Reads the tools that an MCP server has now, and chooses those that agents may call. */
import { Badge, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { HttpEffect } from '../../../contract/http-tools/http-tools.ts';
import type { McpOffer, McpServer, McpTool } from '../../../contract/mcp-servers/mcp-servers.ts';
import { call } from '../../client.ts';
import { Dialog, DialogForm } from '../../components/dialogs.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { indented } from '../../components/format.ts';
import { Loaded } from '../../components/states.tsx';
import { Fold, Hint, PlainText } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.mcpServers;

type Offered = McpOffer['tools'][number];
type Definition = NonNullable<Offered['definition']>;

interface Row {
  remote_name: string;
  /** Undefined if agents cannot call the tool yet. */
  accepted: McpTool | undefined;
  /** Undefined if the server no longer has the tool. */
  offered: Offered | undefined;
}

interface Choice {
  isChosen: boolean;
  /** True if the server's present definition replaces the accepted one. */
  acceptsChange: boolean;
  effect: HttpEffect;
}

export function ChooseTools({ server, close }: { server: McpServer; close: () => void }) {
  const reading = useQuery({
    queryKey: ['mcp-offer', server.id],
    queryFn: ({ signal }) => call<McpOffer>('POST', `/tools/mcp/${server.id}/read`, { signal }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog title={t.chooseTitle(server.name)} size="xl" onClose={close} closeOnClickOutside={false}>
      <Loaded query={reading}>{(offer) => <Choices offer={offer} close={close} />}</Loaded>
    </Dialog>
  );
}

function rowsOf({ tools, server }: McpOffer): Row[] {
  const offered = new Set(tools.map(({ remote_name }) => remote_name));
  const gone = server.tools.filter(({ remote_name }) => !offered.has(remote_name));
  return [
    ...tools.map((tool) => ({
      remote_name: tool.remote_name,
      accepted: server.tools.find(({ remote_name }) => remote_name === tool.remote_name),
      offered: tool,
    })),
    ...gone.map((tool) => ({ remote_name: tool.remote_name, accepted: tool, offered: undefined })),
  ];
}

/** Returns the effect of a new tool. A person must choose `read`, because a server's claim to only read may be wrong. */
function suggested(offered: Offered | undefined): HttpEffect {
  return offered?.destructive_hint === true ? 'destructive' : 'write';
}

const isChanged = ({ accepted, offered }: Row): boolean =>
  accepted !== undefined && offered?.definition != null && offered.definition.digest !== accepted.digest;

function Choices({ offer, close }: { offer: McpOffer; close: () => void }) {
  const rows = rowsOf(offer);
  const saving = useServerForm({
    values: {
      tools: rows.map(({ accepted, offered }): Choice => ({
        isChosen: accepted !== undefined,
        acceptsChange: false,
        effect: accepted?.effect ?? suggested(offered),
      })),
    },
    send: ({ tools }) =>
      call<McpServer>('PUT', `/tools/mcp/${offer.server.id}/tools`, {
        body: {
          tools: rows.flatMap((row, index) => {
            const choice = tools[index];
            const { remote_name, accepted, offered } = row;
            const now = offered?.definition?.digest;
            const digest = choice?.acceptsChange === true ? now : (accepted?.digest ?? now);
            if (choice?.isChosen !== true || digest === undefined) return [];
            return [{ remote_name, digest, effect: choice.effect }];
          }),
        },
      }),
    meta: { done: t.toolsSaved, refetches: [['mcp-servers'], ['tool-activity']] },
    sent: close,
  });
  const { form } = saving;
  const chosen = form.values.tools.filter(({ isChosen }) => isChosen).length;
  return (
    <DialogForm action={t.saveTools(chosen)} of={saving} close={close}>
      <Hint>{rows.length === 0 ? t.chooseNone : t.chooseLead}</Hint>
      {rows.map((row, index) => {
        const { remote_name, accepted, offered } = row;
        const at = (name: keyof Choice) => `tools.${String(index)}.${name}`;
        const isChosen = form.values.tools[index]?.isChosen === true;
        const definition = accepted ?? offered?.definition;
        return (
          <Stack key={remote_name} className="panel" p="md" gap="sm">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Checkbox
                label={<Label row={row} />}
                description={definition?.description}
                disabled={definition == null}
                {...form.getInputProps(at('isChosen'), { type: 'checkbox' })}
              />
              {isChosen && (
                <Select
                  aria-label={t.effectOf(remote_name)}
                  data={choicesOf(texts.httpTools.effects)}
                  allowDeselect={false}
                  w={170}
                  {...form.getInputProps(at('effect'))}
                />
              )}
            </Group>
            <Notes row={row} />
            {isChosen && isChanged(row) && (
              <Checkbox
                label={t.accept(remote_name)}
                {...form.getInputProps(at('acceptsChange'), { type: 'checkbox' })}
              />
            )}
          </Stack>
        );
      })}
    </DialogForm>
  );
}

function Label({ row }: { row: Row }) {
  return (
    <Group gap="xs" component="span">
      <span className="mono">{row.remote_name}</span>
      {isChanged(row) && <Badge color="yellow">{t.changed}</Badge>}
      {row.offered === undefined && <Badge color="red">{t.gone}</Badge>}
    </Group>
  );
}

/** What the server claims of a tool, why the tool cannot be used, and its arguments, before and after a change. */
function Notes({ row }: { row: Row }) {
  const { accepted, offered } = row;
  const now = offered?.definition;
  return (
    <>
      {offered?.problem != null && (
        <Text size="sm" c="red">
          {t.cannot(offered.problem)}
        </Text>
      )}
      {offered?.read_only_hint === true && <Hint size="xs">{t.saysReads}</Hint>}
      {offered?.destructive_hint === true && <Hint size="xs">{t.saysDestroys}</Hint>}
      {isChanged(row) && <Hint size="xs">{t.changedHelp}</Hint>}
      {offered === undefined && <Hint size="xs">{t.goneHelp}</Hint>}
      {isChanged(row) && accepted !== undefined && now != null ? (
        <>
          <Shown title={t.before} tool={row.remote_name} of={accepted} />
          <Shown title={t.now} tool={row.remote_name} of={now} />
        </>
      ) : (
        now != null && (
          <Fold head={t.schema}>
            <PlainText text={schemaText(now)} label={`${t.schema}: ${row.remote_name}`} />
          </Fold>
        )
      )}
    </>
  );
}

function Shown({ title, tool, of }: { title: string; tool: string; of: Definition }) {
  return (
    <div>
      <Text size="xs" fw={600}>
        {title}
      </Text>
      <PlainText text={`${of.description}\n${schemaText(of)}`} label={`${title}: ${tool}`} mah={200} />
    </div>
  );
}

const schemaText = ({ parameters }: Definition): string => indented(JSON.stringify(parameters));
