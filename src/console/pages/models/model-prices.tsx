/** The models of a provider with their prices, and the dialog that changes a price. */
import { Anchor, Badge, Group, NumberInput } from '@mantine/core';
import { listPriceOf, listPricesDate, listPriceSources } from '../../../contract/models/list-prices.ts';
import {
  maxModelPrice,
  type ModelPrice,
  type ModelProvider,
  type ModelSettings,
} from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { fieldsWith, numberOrNull } from '../../components/form-values.ts';
import { dollars } from '../../components/format.ts';
import { RowActions } from '../../components/row-actions.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Hint, Nothing } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { modelIds } from './model-ids.ts';

const t = texts.models.prices;
const listDay = new Date(`${listPricesDate}T00:00:00`).toLocaleDateString(locale, { dateStyle: 'long' });

interface ModelRow {
  model: string;
  price: ModelPrice | undefined;
  isDefault: boolean;
}

const figure = (price: number | undefined) => (price === undefined ? <Nothing /> : dollars(price));
const columns: readonly Column<ModelRow>[] = [
  {
    label: t.columns.model,
    render: ({ model, isDefault }) => (
      <Group gap={8}>
        <span className="mono">{model}</span>
        {isDefault && <Badge color="indigo">{texts.models.isDefault}</Badge>}
      </Group>
    ),
  },
  { label: t.columns.input, isFigure: true, render: ({ price }) => figure(price?.input) },
  {
    label: t.columns.cachedInput,
    isFigure: true,
    render: ({ price }) => figure(price?.cached_input ?? price?.input),
  },
  { label: t.columns.output, isFigure: true, render: ({ price }) => figure(price?.output) },
];

/** Lists the models of a provider with their prices. */
export function PricedModels(props: { provider: ModelProvider; settings: ModelSettings }) {
  const { provider, settings } = props;
  const may = useCan()('models.manage');
  const rows = modelIds([provider]).map((model) => ({
    model,
    price: settings.prices[model],
    isDefault: model === settings.default_model,
  }));
  return (
    <DataTable
      label={texts.models.modelsOf(provider.name)}
      rows={rows}
      rowKey={({ model }) => model}
      columns={columns}
      {...(may && {
        actions: ({ model, price }: ModelRow) => (
          <RowActions
            name={model}
            actions={[
              { label: t.edit, dialog: (close) => <EditPrice model={model} price={price} close={close} /> },
            ]}
          />
        ),
      })}
      empty={<Hint>{texts.models.noModels}</Hint>}
    />
  );
}

/** Changes the price of a model. If it has none, the form begins with the list price. */
function EditPrice({ model, price, close }: Omit<ModelRow, 'isDefault'> & { close: () => void }) {
  const listed = price === undefined ? listPriceOf(model) : undefined;
  const start = price ?? listed;
  const saving = useServerForm({
    values: {
      input: start?.input ?? '',
      output: start?.output ?? '',
      cached_input: start?.cached_input ?? '',
    },
    send: ({ input, output, cached_input }) =>
      call<ModelSettings>('PUT', '/model-price', {
        body: {
          model,
          input: numberOrNull(input),
          output: numberOrNull(output),
          cached_input: numberOrNull(cached_input),
        },
      }),
    sent: close,
    meta: { refetches: [['models'], ['model-usage']], done: t.saved },
  });
  const field = fieldsWith(t, saving.form.getInputProps);
  const bounds = { min: 0, max: maxModelPrice };
  return (
    <FormDialog title={t.editTitle(model)} action={texts.common.save} of={saving} close={close}>
      {listed !== undefined && (
        <Hint>
          {t.fromList(listDay)}
          {listPriceSources.map((source) => (
            <Anchor
              key={source}
              href={source}
              target="_blank"
              rel="noopener noreferrer"
              size="sm"
              underline="always"
              display="block"
            >
              {source}
            </Anchor>
          ))}
        </Hint>
      )}
      <NumberInput data-autofocus {...bounds} {...field('input')} />
      <NumberInput {...bounds} {...field('cachedInput', 'cached_input')} />
      <NumberInput {...bounds} {...field('output')} />
      <Hint>{t.help}</Hint>
    </FormDialog>
  );
}
