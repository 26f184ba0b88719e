/** The usage of a period in one table: by model, by agent or by API token, as the user chooses. */
import { SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ModelUsage } from '../../../contract/data/usage.ts';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import { costText, countText, creditText } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { Hint, Nothing } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { addCosts, costOfModel, costOfRehearsals, type Cost } from './usage-cost.ts';

const t = texts.data;
const c = t.modelColumns;

/** The messages and credits of a period. */
export interface Total {
  messages: number;
  credits: number;
}

/** A part of the credits: of an agent, a model or a token, or of everything that is stored without it. */
interface Part extends Partial<Cost> {
  key: string;
  name: ReactNode;
  credits: number;
  calls?: number;
  messages?: number;
  input_tokens?: number;
  output_tokens?: number;
}

const figure = (count: number | undefined) => (count === undefined ? <Nothing /> : countText(count));
const columns = {
  calls: { label: c.calls, isFigure: true, render: ({ calls }) => figure(calls) },
  messages: { label: t.messages, isFigure: true, render: ({ messages }) => figure(messages) },
  input: { label: c.input, isFigure: true, render: ({ input_tokens }) => figure(input_tokens) },
  output: { label: c.output, isFigure: true, render: ({ output_tokens }) => figure(output_tokens) },
  credits: { label: c.credits, isFigure: true, render: ({ credits }) => creditText(credits) },
} satisfies Record<string, Column<Part>>;
const named = (label: string): Column<Part> => ({ label, render: ({ name }) => name });

/** @returns the column with the costs of these rows; none if no row has one, as without prices */
function costColumns(rows: readonly Part[]): Column<Part>[] {
  const costs = rows.flatMap(({ cost_usd }) => cost_usd ?? []);
  if (costs.length === 0) return [];
  return [
    {
      label: c.cost,
      isFigure: true,
      render: ({ key, cost_usd, unpriced = [] }) => (
        <>
          {cost_usd == null ? <Nothing /> : costText(cost_usd, costs)}
          {key === 'total' && unpriced.length > 0 && <Hint size="xs">{t.withoutPrice(unpriced.length)}</Hint>}
        </>
      ),
    },
  ];
}

/** Adds up the figures of the parts. */
const sumOf = (
  parts: readonly Partial<Part>[],
  of: 'calls' | 'messages' | 'input_tokens' | 'output_tokens',
) => parts.reduce((total, part) => total + (part[of] ?? 0), 0);

/** The rehearsals of the period. Their calls are unknown if none was recorded. */
function rehearsalsOf({ other, rehearsals }: ModelUsage): Part[] {
  if (other.rehearsals === 0 && rehearsals.length === 0) return [];
  const part = { key: 'rehearsals', name: t.rehearsals, credits: other.rehearsals };
  if (rehearsals.length === 0) return [part];
  return [
    {
      ...part,
      calls: sumOf(rehearsals, 'calls'),
      input_tokens: sumOf(rehearsals, 'input_tokens'),
      output_tokens: sumOf(rehearsals, 'output_tokens'),
      ...costOfRehearsals(rehearsals),
    },
  ];
}

/** A model by its id, as everywhere, unless several models of Parley are this one of the provider. */
function ModelName({ model, by_id }: Pick<ModelUsage['data'][number], 'model' | 'by_id'>) {
  const id = by_id.length === 1 ? by_id[0]?.id : model;
  return (
    <div>
      <span className="mono">{id}</span>
      {id === scriptedModelId && <Hint size="xs">{t.scripted}</Hint>}
    </div>
  );
}

interface Kind {
  kind: 'model' | 'agent' | 'token';
  title: string;
  label: string;
  lead: string;
  rows: readonly Part[];
  columns: readonly Column<Part>[];
}

/** @returns the tables that have rows */
function kindsOf(usage: ModelUsage, total: Total): Kind[] {
  const rehearsals = rehearsalsOf(usage);
  const { erased } = usage.other;
  const others = [
    ...rehearsals,
    ...(erased > 0 ? [{ key: 'erased', name: t.erasedData, credits: erased }] : []),
  ];
  const agents = usage.agents.map(({ id, name, ...part }) => ({
    key: id,
    name: <RowLink to={`/agents/${id}`}>{name}</RowLink>,
    ...part,
  }));
  const models = usage.data.map((one) => ({
    ...one,
    key: one.model,
    name: <ModelName {...one} />,
    ...costOfModel(one),
  }));
  const tokens = usage.tokens.map(({ id, name, ...part }) => ({
    key: id,
    name: name ?? texts.requests.deletedToken,
    ...part,
  }));
  const rest = (part: keyof Total) =>
    Math.max(0, total[part] - tokens.reduce((sum, token) => sum + token[part], 0));
  const withoutToken = {
    key: 'none',
    name: t.withoutToken,
    messages: rest('messages'),
    credits: Math.max(0, rest('credits') - usage.other.rehearsals),
  };
  const { calls, messages, input, output, credits } = columns;
  const kinds: Kind[] = [
    {
      kind: 'model',
      title: t.byModel,
      label: c.model,
      lead: t.calls,
      rows: [...models, ...others],
      columns: [named(c.model), calls, input, output, ...costColumns([...models, ...rehearsals]), credits],
    },
    {
      kind: 'agent',
      title: t.byAgent,
      label: c.agent,
      lead: t.calls,
      rows: [...agents, ...others],
      columns: [named(c.agent), calls, credits],
    },
    {
      kind: 'token',
      title: t.byToken,
      label: c.token,
      lead: t.tokenMessages,
      rows: tokens.length === 0 ? [] : [...tokens, withoutToken, ...rehearsals],
      columns: [named(c.token), messages, credits],
    },
  ];
  return kinds.filter(({ rows }) => rows.length > 0);
}

/** The usage of the period. Renders nothing if there is none. @param props.total the usage of all tokens together */
export function UsageParts(props: { usage: ModelUsage; total: Total }) {
  const [chosen, setChosen] = useState<Kind['kind']>('model');
  const kinds = kindsOf(props.usage, props.total);
  const shown = kinds.find(({ kind }) => kind === chosen) ?? kinds[0];
  if (shown === undefined) return null;
  const { kind, title, lead, rows, columns: shownColumns } = shown;
  return (
    <Section
      title={title}
      lead={lead}
      actions={
        kinds.length > 1 && (
          <SegmentedControl
            aria-label={t.by}
            data={kinds.map(({ kind: value, label }) => ({ value, label }))}
            value={kind}
            onChange={setChosen}
          />
        )
      }
    >
      <DataTable
        label={title}
        rows={rows.length === 1 ? rows : [...rows, totalOf(rows)]}
        columns={shownColumns}
        rowKey={({ key }) => key}
        isTotal={({ key }) => key === 'total'}
      />
    </Section>
  );
}

/** Adds up the rows, and their costs as far as they are known. */
const totalOf = (rows: readonly Part[]): Part => ({
  key: 'total',
  name: t.total,
  credits: rows.reduce((sum, row) => sum + row.credits, 0),
  calls: sumOf(rows, 'calls'),
  messages: sumOf(rows, 'messages'),
  input_tokens: sumOf(rows, 'input_tokens'),
  output_tokens: sumOf(rows, 'output_tokens'),
  ...addCosts(rows.map(({ cost_usd = null, unpriced = [] }) => ({ cost_usd, unpriced }))),
});
