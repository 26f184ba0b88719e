/** The dialog that reads an MCP server's current tools, and in which the user selects those that agents may call. */
import { Badge, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HttpEffect } from '../../../contract/http-tools/http-tools.ts';
import type { McpOffer, McpServer, McpTool } from '../../../contract/mcp-servers/mcp-servers.ts';
import { ApiProblem, call } from '../../client.ts';
import { Dialog, DialogForm } from '../../components/dialogs.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { indented } from '../../components/format.ts';
import { LineChanges } from '../../components/line-changes.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Loaded, Problem } from '../../components/states.tsx';
import { Fold, Hint, PlainText } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.mcpServers;

type Offered = McpOffer['tools'][number];
type Definition = NonNullable<Offered['definition']>;

interface Row {
  remote_name: string;
  /** The tool as it was accepted; undefined if agents cannot call it yet. */
  accepted: McpTool | undefined;
  /** The tool as the server has it now; undefined if the server no longer has it. */
  offered: Offered | undefined;
}

interface Choice {
  isChosen: boolean;
  /** True if the server's current definition replaces the accepted one when the choices are saved. */
  acceptsChange: boolean;
  effect: HttpEffect;
}

/** The user's choices before the tools were read again. The keys are those of `keyOf`. */
type Kept = ReadonlyMap<string, Choice>;

/** @param props.chosen called with the server, after the dialog was closed, if its first tools were chosen */
export function ChooseTools(props: {
  server: McpServer;
  close: () => void;
  chosen?: (server: McpServer) => void;
}) {
  const { server, close, chosen } = props;
  const [kept, setKept] = useState<Kept>(new Map());
  const reading = useQuery({
    queryKey: ['mcp-offer', server.id],
    queryFn: ({ signal }) => call<McpOffer>('POST', `/tools/mcp/${server.id}/read`, { signal }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const readAgain = (choices: Kept) => {
    setKept(choices);
    void reading.refetch();
  };
  return (
    <Dialog title={t.chooseTitle(server.name)} size="xl" onClose={close} closeOnClickOutside={false}>
      <Loaded query={reading}>
        {(offer) => (
          <Stack>
            <Problem of={reading} />
            <Choices
              key={reading.dataUpdatedAt}
              {...{ offer, kept, readAgain }}
              saved={(stored) => {
                close();
                if (offer.server.tools.length === 0 && stored.tools.length > 0) chosen?.(stored);
              }}
              close={close}
              isReading={reading.isFetching}
            />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}

/** @returns all tools: first those that are gone or have changed, because they need a decision */
function rowsOf({ tools, server }: McpOffer): Row[] {
  const offered = new Set(tools.map(({ remote_name }) => remote_name));
  const gone = server.tools.filter(({ remote_name }) => !offered.has(remote_name));
  const rows = tools.map((tool) => ({
    remote_name: tool.remote_name,
    accepted: server.tools.find(({ remote_name }) => remote_name === tool.remote_name),
    offered: tool,
  }));
  return [
    ...gone.map((tool) => ({ remote_name: tool.remote_name, accepted: tool, offered: undefined })),
    ...rows.filter(isChanged),
    ...rows.filter((row) => !isChanged(row)),
  ];
}

/**
 * Returns a key that identifies a tool with its current definition. If the server changes the definition, an earlier
 * choice no longer applies, because the user has not read the new definition.
 */
const keyOf = ({ remote_name, offered }: Row): string =>
  `${remote_name} ${offered?.definition?.digest ?? ''}`;

/**
 * Suggests the effect of a new tool. Never suggests `read`, because the server's claim that a tool only reads may be
 * wrong.
 */
function suggested(offered: Offered | undefined): HttpEffect {
  return offered?.destructive_hint === true ? 'destructive' : 'write';
}

const isChanged = ({ accepted, offered }: Row): boolean =>
  accepted !== undefined && offered?.definition != null && offered.definition.digest !== accepted.digest;

/** Minimum number of tools for which the dialog shows a search field. Chosen. */
const minSearched = 8;

/**
 * Converts the paths of the API's errors to those of the tools' checkboxes. The API counts only the tools that were
 * sent; the form counts all tools.
 * @param sent for each tool that was sent, in that order, its index among all tools of the form
 * @returns an ApiProblem with the converted paths; any other error unchanged
 */
function withPathsOfForm(problem: unknown, sent: readonly number[]): unknown {
  if (!(problem instanceof ApiProblem)) return problem;
  const details = problem.details.map(({ path, message }) => {
    const [, index] = /^tools\.(\d+)/.exec(path) ?? [];
    const at = index === undefined ? undefined : sent[Number(index)];
    return { message, path: at === undefined ? path : `tools.${String(at)}.isChosen` };
  });
  return new ApiProblem(problem.status, problem.code, problem.message, details);
}

function Choices(props: {
  offer: McpOffer;
  kept: Kept;
  readAgain: (choices: Kept) => void;
  isReading: boolean;
  saved: (server: McpServer) => void;
  close: () => void;
}) {
  const { offer, kept, readAgain, isReading, saved, close } = props;
  const rows = rowsOf(offer);
  const [search, setSearch] = useState('');
  const saving = useServerForm({
    values: {
      tools: rows.map((row): Choice => {
        const { accepted, offered } = row;
        const usual = {
          isChosen: accepted !== undefined,
          acceptsChange: false,
          effect: accepted?.effect ?? suggested(offered),
        };
        return kept.get(keyOf(row)) ?? usual;
      }),
    },
    send: async ({ tools }) => {
      const chosen = rows.flatMap(({ remote_name, accepted, offered }, index) => {
        const choice = tools[index];
        const now = offered?.definition?.digest;
        const digest = choice?.acceptsChange === true ? now : (accepted?.digest ?? now);
        if (choice?.isChosen !== true || digest === undefined) return [];
        return [{ index, tool: { remote_name, digest, effect: choice.effect } }];
      });
      try {
        return await call<McpServer>('PUT', `/tools/mcp/${offer.server.id}/tools`, {
          body: { tools: chosen.map(({ tool }) => tool) },
        });
      } catch (problem) {
        throw withPathsOfForm(
          problem,
          chosen.map(({ index }) => index),
        );
      }
    },
    meta: { done: t.toolsSaved, refetches: [['mcp-servers'], ['tool-activity']] },
    sent: saved,
  });
  const { form } = saving;
  const chosen = form.values.tools.filter(({ isChosen }) => isChosen).length;
  const wanted = search.trim().toLowerCase();
  const at = (index: number, name: keyof Choice) => `tools.${String(index)}.${name}`;
  const shown = rows
    .map((row, index) => ({ row, index, definition: row.accepted ?? row.offered?.definition }))
    .filter(
      ({ row: { remote_name }, index, definition }) =>
        `${remote_name}\n${definition?.description ?? ''}`.toLowerCase().includes(wanted) ||
        form.errors[at(index, 'isChosen')] !== undefined,
    );
  return (
    <DialogForm action={t.saveTools(chosen)} of={saving} close={close}>
      <Group justify="space-between" align="flex-start">
        <Hint flex={1} miw={220}>
          {rows.length === 0 ? t.chooseNone : t.chooseLead}
        </Hint>
        <Button
          variant="default"
          size="xs"
          autoFocus={kept.size > 0}
          onClick={() =>
            readAgain(
              new Map(
                rows.flatMap((row, index) => {
                  const choice = form.values.tools[index];
                  return choice === undefined ? [] : [[keyOf(row), choice] as const];
                }),
              ),
            )
          }
        >
          {isReading ? t.reading : t.readAgain}
        </Button>
      </Group>
      {rows.length >= minSearched && <SearchField label={t.search} text={search} setText={setSearch} />}
      {rows.length > 0 && shown.length === 0 && <Hint role="status">{t.noneFound}</Hint>}
      {shown.map(({ row, index, definition }) => {
        const { remote_name } = row;
        const isChosen = form.values.tools[index]?.isChosen === true;
        const box = form.getInputProps(at(index, 'isChosen'), { type: 'checkbox' });
        return (
          <Stack key={remote_name} className="panel" p="md" gap="sm">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Checkbox
                label={<Label row={row} />}
                description={definition?.description}
                disabled={definition == null}
                aria-invalid={form.errors[at(index, 'isChosen')] !== undefined}
                {...box}
              />
              {isChosen && (
                <Select
                  aria-label={t.effectOf(remote_name)}
                  data={choicesOf(texts.httpTools.effects)}
                  w={170}
                  {...form.getInputProps(at(index, 'effect'))}
                />
              )}
            </Group>
            <Notes row={row} />
            {isChosen && isChanged(row) && (
              <Checkbox
                label={t.accept(remote_name)}
                {...form.getInputProps(at(index, 'acceptsChange'), { type: 'checkbox' })}
              />
            )}
          </Stack>
        );
      })}
      {form.errors['tools'] !== undefined && (
        <Text
          size="sm"
          c="var(--mantine-color-error)"
          tabIndex={-1}
          data-problem-of={t.tools(offer.server.name)}
        >
          {form.errors['tools']}
        </Text>
      )}
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

/**
 * Shows the server's claims about a tool, its arguments and, if it cannot be used, the reason. For a changed tool,
 * shows the differences from the accepted definition instead of the arguments.
 */
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
        <LineChanges
          before={definitionText(accepted)}
          after={definitionText(now)}
          label={t.changeOf(row.remote_name)}
        />
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

const definitionText = (definition: Definition): string =>
  `${definition.description}\n${schemaText(definition)}`;
const schemaText = ({ parameters }: Definition): string => indented(JSON.stringify(parameters));
