/** A table of models: their prices, how many agents use each, and this month's use. */
import { Anchor, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ModelUsage } from '../../../contract/data/usage.ts';
import type { ModelPrice, ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { amount, costText, countText, dollars } from '../../components/format.ts';
import { useRead } from '../../components/queries.ts';
import { DataTable, type Column } from '../../components/table.tsx';
import { Breakable, Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentCount } from './agent-count.tsx';
import { modelIds } from './model-ids.ts';
import { SetPrices } from './model-prices.tsx';

const t = texts.models;

interface ModelRow {
  model: string;
  price: ReactNode;
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
      <Text size="sm">{t.prices.of(dollars(input), dollars(output))}</Text>
      {cached_input !== null && cached_input !== input && (
        <Hint className="wide-only">{t.prices.cached(dollars(cached_input))}</Hint>
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

interface TableProps {
  settings: ModelSettings;
  /** True if the column heads show. Otherwise only screen readers read them. */
  hasHead: boolean;
}

/** @param props.priceOf returns what the column of the prices shows of a model */
export function ModelTable(
  props: TableProps & { label: string; models: readonly string[]; priceOf: (model: string) => ReactNode },
) {
  const { settings, hasHead, label, models, priceOf } = props;
  const can = useCan();
  const usage = useRead<ModelUsage>(['model-usage'], '/model-usage', { enabled: can('data.manage') });
  const rows = models.map((model) => ({
    model,
    price: priceOf(model),
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
    { label: t.prices.perMillion, before: t.prices.perMillionBriefly, render: ({ price }) => price },
    {
      label: t.usedBy,
      isStatus: true,
      render: ({ model }) => <AgentCount model={model} settings={settings} />,
    },
    ...(can('data.manage')
      ? [
          {
            label: t.usedThisMonth,
            before: `${t.usedThisMonth}:`,
            render: ({ use }: ModelRow) => <UsedThisMonth of={use} />,
          },
        ]
      : []),
  ];
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={({ model }) => model}
      columns={columns}
      isHeadHidden={!hasHead}
      empty={<Hint>{t.noModels}</Hint>}
    />
  );
}

export function ProviderModels({ provider, ...table }: TableProps & { provider: ModelProvider }) {
  const can = useCan();
  const [isPricing, setPricing] = useState(false);
  const set = can('models.manage') ? () => setPricing(true) : undefined;
  const { settings } = table;
  return (
    <>
      <ModelTable
        {...table}
        label={t.modelsOf(provider.name)}
        models={modelIds([provider])}
        priceOf={(model) => <Price of={settings.prices[model]} set={set} />}
      />
      {isPricing && <SetPrices {...{ provider, settings }} close={() => setPricing(false)} />}
    </>
  );
}
