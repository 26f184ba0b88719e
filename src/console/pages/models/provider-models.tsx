/** The models of a provider: which is the default, this month's use, and the prices if there are any. */
import { Badge, Group } from '@mantine/core';
import type { ModelUsage } from '../../../contract/data/usage.ts';
import type { ModelPrice, ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { countText, dollars } from '../../components/format.ts';
import { useRead } from '../../components/queries.ts';
import { DataTable, type Column } from '../../components/table.tsx';
import { Breakable, Hint, Nothing } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { MakeDefault } from './default-model.tsx';
import { modelIds } from './model-ids.ts';

const t = texts.models;

interface ModelRow {
  model: string;
  price: ModelPrice | undefined;
  isDefault: boolean;
  /** This month's calls, and their cost if every part of it is known; undefined until they are loaded. */
  use: { calls: number; cost: number | null } | undefined;
}

const nameColumn: Column<ModelRow> = {
  label: t.prices.columns.model,
  render: ({ model, isDefault }) => (
    <Group gap={8}>
      <span className="mono">
        <Breakable text={model} />
      </span>
      {isDefault && <Badge color="indigo">{t.isDefault}</Badge>}
    </Group>
  ),
};

const useColumn: Column<ModelRow> = {
  label: t.usedThisMonth,
  render: ({ use }) => {
    if (use === undefined) return null;
    if (use.calls === 0) return <Hint span>{t.notUsed}</Hint>;
    const calls = t.calls(use.calls, countText(use.calls));
    return use.cost === null ? calls : `${calls} · ${dollars(use.cost)}`;
  },
};

const price = (value: number | undefined) => (value === undefined ? <Nothing /> : dollars(value));
const priceColumns: readonly Column<ModelRow>[] = [
  { label: t.prices.columns.input, isFigure: true, render: (row) => price(row.price?.input) },
  {
    label: t.prices.columns.cachedInput,
    isFigure: true,
    render: (row) => price(row.price?.cached_input ?? row.price?.input),
  },
  { label: t.prices.columns.output, isFigure: true, render: (row) => price(row.price?.output) },
];

/** @returns the calls of a model, by its id provider/name, and their cost; null if a part of them has no price */
function useOf({ data }: ModelUsage, model: string): { calls: number; cost: number | null } {
  const parts = data.flatMap(({ by_id }) => by_id.filter(({ id }) => id === model));
  const calls = parts.reduce((sum, part) => sum + part.calls, 0);
  const costs = parts.map(({ cost_usd }) => cost_usd);
  return {
    calls,
    cost: costs.some((one) => one === null) ? null : costs.reduce<number>((a, b) => a + (b ?? 0), 0),
  };
}

export function ProviderModels({ provider, settings }: { provider: ModelProvider; settings: ModelSettings }) {
  const can = useCan();
  const usage = useRead<ModelUsage>(['model-usage'], '/model-usage', { enabled: can('data.manage') });
  const rows = modelIds([provider]).map((model) => ({
    model,
    price: settings.prices[model],
    isDefault: model === settings.default_model,
    use: usage.data && useOf(usage.data, model),
  }));
  const hasPrices = rows.some((row) => row.price !== undefined);
  const hasOthers = rows.some(({ isDefault }) => !isDefault);
  return (
    <DataTable
      label={t.modelsOf(provider.name)}
      rows={rows}
      rowKey={({ model }) => model}
      columns={[nameColumn, ...(can('data.manage') ? [useColumn] : []), ...(hasPrices ? priceColumns : [])]}
      {...(can('models.manage') &&
        hasOthers && {
          actions: ({ model, isDefault }: ModelRow) => !isDefault && <MakeDefault model={model} />,
        })}
      empty={<Hint>{t.noModels}</Hint>}
    />
  );
}
