/**
 * Adds HTTP tools from an OpenAPI document. The user first enters the document, then selects its operations and enters
 * the headers that all the new tools send.
 */
import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Code,
  Fieldset,
  FileButton,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { CodeArea } from '../../components/code-area.tsx';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { HttpEffect, HttpTool, OpenapiOperations } from '../../../contract/http-tools/http-tools.ts';
import { maxHttpTools, maxOpenapiChars } from '../../../contract/http-tools/limits.ts';
import { ApiProblem, call } from '../../client.ts';
import { Dialog, DialogForm } from '../../components/dialogs.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { Hint } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { countText } from '../../components/format.ts';
import { texts } from '../../messages.ts';
import { EffectBadge } from './effect-badge.tsx';
import { HeaderRows, headerProblems } from './header-rows.tsx';
import { choose, matching, maxFileBytes, shortened, type Choices, type Operation } from './import-draft.ts';

const t = texts.openapiImport;
const effects = texts.httpTools.effects;

interface Draft extends Record<string, unknown> {
  document: string;
  base_url: string;
}

export function ImportOpenapi({ tools, close }: { tools: readonly HttpTool[]; close: () => void }) {
  const [draft, setDraft] = useState<Draft>({ document: '', base_url: '' });
  const [found, setFound] = useState<OpenapiOperations>();
  const [isBusy, setBusy] = useState(false);
  return (
    // After the document is read, neither a click outside nor Escape closes the dialog, so that no choices are lost.
    <Dialog
      onClose={() => !isBusy && close()}
      title={found === undefined || found.title === '' ? t.title : t.titleOf(found.title)}
      size="xl"
      closeOnClickOutside={found === undefined}
      closeOnEscape={found === undefined}
    >
      {found === undefined ? (
        <ChooseDocument
          draft={draft}
          read={(values, operations) => {
            setDraft(values);
            setFound(operations);
          }}
          close={close}
        />
      ) : (
        <ChooseOperations
          found={found}
          tools={tools}
          back={() => setFound(undefined)}
          busy={setBusy}
          close={close}
        />
      )}
    </Dialog>
  );
}

function ChooseDocument(props: {
  draft: Draft;
  read: (draft: Draft, found: OpenapiOperations) => void;
  close: () => void;
}) {
  const reading = useServerForm({
    values: props.draft,
    check: { document: documentProblem },
    send: ({ document, base_url }) =>
      call<OpenapiOperations>('POST', '/tools/http/openapi', {
        body: {
          document: shortened(document),
          ...(base_url.trim() !== '' && { base_url: base_url.trim() }),
        },
      }),
    sent: (found, values) => props.read(values, found),
  });
  const { form } = reading;
  const field = fieldsWith(t, form.getInputProps);
  const take = (file: File | null) => {
    if (file === null) return;
    if (file.size > maxFileBytes) {
      form.setFieldError('document', t.fileTooLarge(file.name));
      return;
    }
    void file.text().then(
      (text) => {
        form.setFieldValue('document', text);
        form.clearFieldError('document');
      },
      () => form.setFieldError('document', t.fileUnreadable(file.name)),
    );
  };
  return (
    <DialogForm action={t.read} of={reading} close={props.close}>
      <Hint>{t.lead}</Hint>
      <CodeArea autosize={false} rows={10} data-autofocus autoFocus {...field('document')} />
      <Group>
        <FileButton accept=".json,.yaml,.yml,application/json,application/yaml,text/yaml" onChange={take}>
          {(button) => (
            <Button variant="default" {...button}>
              {t.file}
            </Button>
          )}
        </FileButton>
      </Group>
      <TextInput placeholder={t.addressExample} maxLength={1000} {...field('address', 'base_url')} />
    </DialogForm>
  );
}

function documentProblem(value: unknown): string | null {
  const missing = required(value);
  if (missing !== null || typeof value !== 'string') return missing;
  const { length } = shortened(value);
  return length > maxOpenapiChars ? t.tooLong(countText(length), countText(maxOpenapiChars)) : null;
}

/** The result of adding an operation as a tool: true if it was added, otherwise the error messages. */
type Outcome = true | { name?: string; other?: string };

function ChooseOperations(props: {
  found: OpenapiOperations;
  tools: readonly HttpTool[];
  back: () => void;
  busy: (isBusy: boolean) => void;
  close: () => void;
}) {
  const { found, tools, back, busy, close } = props;
  const { operations, base_url } = found;
  const [search, setSearch] = useState('');
  const [choices, setChoices] = useState<Choices>(new Map());
  const form = useForm({
    initialValues: { headers: found.headers.map((name) => ({ name, value: '' })) },
    validate: ({ headers: rows }) => headerProblems(rows),
  });
  const { headers } = form.values;
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map());
  const [problem, setProblem] = useState<string>();
  const shown = matching(operations, search);
  const open = shown.filter((index) => operations[index]?.tool != null && outcomes.get(index) !== true);
  const areAllChosen = open.length > 0 && open.every((index) => choices.has(index));
  const pick = (indexes: readonly number[], chosen: boolean) => {
    const taken = tools.map(({ name }) => name);
    setChoices(choose(choices, { operations, indexes, chosen, taken }));
  };
  const adding = useMutation({
    mutationFn: async () => {
      busy(true);
      const given = form.getValues().headers.map(({ name, value }) => ({
        name: name.trim(),
        value: value.trim(),
      }));
      const results = new Map(outcomes);
      try {
        for (const [index, { name, effect }] of choices) {
          const tool = operations[index]?.tool;
          if (tool == null) continue;
          const body = { ...tool, name: name.trim(), effect, headers: given };
          try {
            await call<HttpTool>('POST', '/tools/http', { body });
            results.set(index, true);
          } catch (error) {
            const said = headerProblemsIn(error);
            if (Object.keys(said).length > 0) {
              form.setErrors(said);
              return { results, stopped: t.checkHeaders };
            }
            const outcome = outcomeOf(error);
            if (outcome === undefined)
              return { results, stopped: error instanceof Error ? error.message : t.failed };
            results.set(index, outcome);
          }
        }
        return { results, stopped: undefined };
      } finally {
        busy(false);
      }
    },
    meta: { refetches: [['http-tools']] },
    onSuccess: ({ results, stopped }) => {
      const added = [...choices.keys()].filter((index) => results.get(index) === true);
      const isDone = stopped === undefined && added.length === choices.size;
      if (added.length > 0) notifications.show({ message: t.added(added.length) });
      if (isDone) {
        close();
        return;
      }
      setOutcomes(results);
      setChoices(new Map([...choices].filter(([index]) => results.get(index) !== true)));
      setProblem(stopped ?? t.someFailed(choices.size - added.length));
    },
  });
  const submit = () => {
    setProblem(undefined);
    form.setValues({ headers: headers.filter(({ name, value }) => `${name}${value}`.trim() !== '') });
    const { hasErrors } = form.validate();
    if (choices.size === 0) setProblem(t.chooseOne);
    else if (hasErrors) setProblem(t.checkHeaders);
    else if (tools.length + choices.size > maxHttpTools)
      setProblem(t.tooMany(maxHttpTools, Math.max(0, maxHttpTools - tools.length)));
    else adding.mutate();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Text size="sm">
          {t.goTo} <Code>{base_url}</Code>
        </Text>
        <Fieldset legend={t.operations(choices.size, operations.length)}>
          <Stack gap="sm">
            <TextInput
              label={t.search}
              type="search"
              autoFocus
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <Checkbox
              label={t.chooseAll(open.length)}
              checked={areAllChosen}
              indeterminate={!areAllChosen && open.some((index) => choices.has(index))}
              disabled={open.length === 0}
              onChange={() => pick(open, !areAllChosen)}
            />
            {shown.length === 0 && <Hint role="status">{operations.length === 0 ? t.empty : t.none}</Hint>}
            <ul className="operations" aria-label={t.list}>
              {shown.map((index) => {
                const operation = operations[index];
                return (
                  operation !== undefined && (
                    <OperationRow
                      key={index}
                      operation={operation}
                      choice={choices.get(index)}
                      outcome={outcomes.get(index)}
                      pick={(chosen) => pick([index], chosen)}
                      change={(choice) => setChoices(new Map(choices).set(index, choice))}
                    />
                  )
                );
              })}
            </ul>
          </Stack>
        </Fieldset>
        <HeaderRows legend={t.headers} form={form} />
        <Stack className="dialog-foot">
          {problem !== undefined && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={adding.isPending}>
              {texts.common.cancel}
            </Button>
            <Button variant="default" onClick={back} disabled={adding.isPending}>
              {t.back}
            </Button>
            <Button type="submit" loading={adding.isPending}>
              {t.add(choices.size)}
            </Button>
          </Group>
        </Stack>
      </Stack>
    </form>
  );
}

function OperationRow(props: {
  operation: Operation;
  choice: { name: string; effect: HttpEffect } | undefined;
  outcome: Outcome | undefined;
  pick: (chosen: boolean) => void;
  change: (choice: { name: string; effect: HttpEffect }) => void;
}) {
  const { operation, choice, outcome, pick, change } = props;
  const { method, path, summary, tool, problem } = operation;
  const place = `${method} ${path}`;
  const [headline = ''] = summary.split('\n', 1);
  const said = outcome === true ? undefined : outcome;
  return (
    <li>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        {tool === null || outcome === true ? (
          <div className="operation-label">
            <span className="mono">{place}</span>
            {headline !== '' && <Hint size="xs">{headline}</Hint>}
            {problem !== null && <Text size="xs">{t.cannot(problem)}</Text>}
          </div>
        ) : (
          <Checkbox
            label={<span className="mono">{place}</span>}
            description={headline === '' ? undefined : headline}
            checked={choice !== undefined}
            onChange={(event) => pick(event.currentTarget.checked)}
          />
        )}
        {outcome === true && <Badge color="green">{t.isAdded}</Badge>}
        {tool !== null && outcome !== true && <EffectBadge effect={choice?.effect ?? tool.effect} />}
      </Group>
      {choice !== undefined && (
        <Group gap="sm" align="flex-start" mt="xs" ml={32}>
          <TextInput
            label={t.name}
            aria-label={t.nameOf(place)}
            flex="1 1 180px"
            maxLength={64}
            value={choice.name}
            error={said?.name}
            onChange={(event) => change({ ...choice, name: event.currentTarget.value })}
          />
          <Select
            label={texts.httpTools.effect}
            aria-label={t.effectOf(place)}
            flex="0 1 180px"
            data={choicesOf(effects)}
            value={choice.effect}
            onChange={(effect) => {
              if (effect === 'read' || effect === 'write' || effect === 'destructive')
                change({ ...choice, effect });
            }}
          />
        </Group>
      )}
      {said?.other !== undefined && (
        <Text size="xs" c="red" mt={4} role="alert">
          {said.other}
        </Text>
      )}
    </li>
  );
}

/**
 * @returns the API's error messages about headers, by path; empty if there are none. Such an error stops the import,
 * because all tools have the same headers.
 */
function headerProblemsIn(error: unknown): Record<string, string> {
  const details = error instanceof ApiProblem ? error.details : [];
  const about = details.filter(({ path }) => path.startsWith('headers.'));
  return Object.fromEntries(about.map(({ path, message }) => [path, message]));
}

/**
 * @returns the messages to show beside the tool; undefined if the error does not concern this tool alone. The import
 * then stops.
 */
function outcomeOf(error: unknown): Exclude<Outcome, true> | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  if (error.code === 'conflict') return { name: t.nameTaken };
  if (error.code !== 'validation_failed') return undefined;
  const names = error.details.filter(({ path }) => path === 'name').map(({ message }) => message);
  const others = error.details.filter(({ path }) => path !== 'name');
  return {
    ...(names.length > 0 && { name: names.join('\n') }),
    ...(others.length > 0 && { other: others.map(({ path, message }) => `${path}: ${message}`).join('\n') }),
  };
}
