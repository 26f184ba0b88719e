/** The models of a provider: their prices, how many agents use each, and this month's use. */
import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import type { ModelUsage } from '../../../contract/data/usage.ts';
import type { ModelPrice, ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { amount, costText, countText, dollars } from '../../components/format.ts';
import { useRead } from '../../components/queries.ts';
import { DataTable, type Column } from '../../components/table.tsx';
import { Breakable, Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { modelIds } from './model-ids.ts';
import { SetPrices } from './model-prices.tsx';

const t = texts.models;

interface ModelRow {
  model: string;
  price: ModelPrice | undefined;
  agents: number;
  /** This month's use, with its cost if every part of it is known; undefined until it is loaded. */
  use: Use | undefined;
}
interface Use {
  calls: number;
  credits: number;
  cost: number | null;
}

function Price({ of: price, set }: { of: ModelPrice | undefined; set: (() => void) | undefined }) {
  if (price === undefined) {
    if (set === undefined) return <Hint span>{t.prices.none}</Hint>;
    return (
      <Anchor component="button" type="button" size="sm" underline="always" ta="left" onClick={set}>
        {t.prices.none}
      </Anchor>
    );
  }
  const { input, output, cached_input } = price;
  return (
    <div>
      {t.prices.of(dollars(input), dollars(output))}
      {cached_input !== null && cached_input !== input && (
        <Hint>{t.prices.cached(dollars(cached_input))}</Hint>
      )}
    </div>
  );
}

function UsedThisMonth({ of: use }: { of: Use | undefined }) {
  if (use === undefined) return null;
  if (use.calls === 0) return <Hint span>{t.notUsed}</Hint>;
  const credits = t.credits(amount(use.credits));
  return (
    <div>
      <Text size="sm">{t.calls(use.calls, countText(use.calls))}</Text>
      <Hint>{use.cost === null ? credits : `${credits} · ${costText(use.cost)}`}</Hint>
    </div>
  );
}

/** @returns the use of a model, by its id provider/name; its cost is null if a part of it has no price */
function useOf({ data }: ModelUsage, model: string): Use {
  const parts = data.flatMap(({ by_id }) => by_id.filter(({ id }) => id === model));
  const costs = parts.map(({ cost_usd }) => cost_usd);
  return {
    calls: parts.reduce((sum, part) => sum + part.calls, 0),
    credits: parts.reduce((sum, part) => sum + part.credits, 0),
    cost: costs.some((one) => one === null) ? null : costs.reduce<number>((a, b) => a + (b ?? 0), 0),
  };
}

export function ProviderModels({ provider, settings }: { provider: ModelProvider; settings: ModelSettings }) {
  const can = useCan();
  const usage = useRead<ModelUsage>(['model-usage'], '/model-usage', { enabled: can('data.manage') });
  const [isPricing, setPricing] = useState(false);
  const set = can('models.manage') ? () => setPricing(true) : undefined;
  const rows = modelIds([provider]).map((model) => ({
    model,
    price: settings.prices[model],
    agents: settings.used_by[model] ?? 0,
    use: usage.data && useOf(usage.data, model),
  }));
  const columns: readonly Column<ModelRow>[] = [
    {
      label: t.prices.columns.model,
      render: ({ model }) => (
        <span className="mono">
          <Breakable text={model} />
        </span>
      ),
    },
    { label: t.prices.perMillion, render: ({ price }) => <Price of={price} set={set} /> },
    {
      label: t.usedBy,
      render: ({ agents }) =>
        agents === 0 ? <Hint span>{t.noAgent}</Hint> : t.agents(agents, countText(agents)),
    },
    ...(can('data.manage')
      ? [{ label: t.usedThisMonth, render: ({ use }: ModelRow) => <UsedThisMonth of={use} /> }]
      : []),
  ];
  return (
    <>
      <DataTable
        label={t.modelsOf(provider.name)}
        rows={rows}
        rowKey={({ model }) => model}
        columns={columns}
        empty={<Hint>{t.noModels}</Hint>}
      />
      {isPricing && <SetPrices {...{ provider, settings }} close={() => setPricing(false)} />}
    </>
  );
}
