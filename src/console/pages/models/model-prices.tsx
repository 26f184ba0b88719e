/** The dialog that sets the prices of a provider's models. */
import { Anchor, Fieldset, NumberInput, SimpleGrid } from '@mantine/core';
import { listPriceOf, listPricesDate, listPriceSources } from '../../../contract/models/list-prices.ts';
import { maxModelPrice } from '../../../contract/models/limits.ts';
import type { ModelPrice, ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { Hint } from '../../components/text.tsx';
import { useServerForm, within } from '../../components/use-server-form.ts';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';
import { modelIds } from './model-ids.ts';

const t = texts.models.prices;
const listDay = new Date(`${listPricesDate}T00:00:00`).toLocaleDateString(locale, { dateStyle: 'long' });
const bounds = { min: 0, max: maxModelPrice };

type Field = 'input' | 'cached_input' | 'output';
const fields: readonly { name: Field; label: string }[] = [
  { name: 'input', label: t.columns.input },
  { name: 'cached_input', label: t.columns.cachedInput },
  { name: 'output', label: t.columns.output },
];

/** The typed price of a model. An empty text is an empty field. */
type Typed = { model: string } & Record<Field, number | string>;

const typed = (model: string, price: ModelPrice | undefined): Typed => ({
  model,
  input: price?.input ?? '',
  cached_input: price?.cached_input ?? '',
  output: price?.output ?? '',
});

/** @returns the error message by field; empty if each model has both prices, or none */
function problemsIn({ prices }: { prices: Typed[] }): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [index, price] of prices.entries())
    for (const { name } of fields) {
      const isNeeded = name !== 'cached_input' && fields.some((one) => price[one.name] !== '');
      const problem = isNeeded && price[name] === '' ? texts.common.required : within(bounds)(price[name]);
      if (problem !== null) problems[`prices.${String(index)}.${name}`] = problem;
    }
  return problems;
}

/** Sets the prices of a provider's models. The fields of a model without a price begin with its list price. */
export function SetPrices(props: { provider: ModelProvider; settings: ModelSettings; close: () => void }) {
  const { provider, settings, close } = props;
  const models = modelIds([provider]);
  const saved = models.map((model) => typed(model, settings.prices[model]));
  const start = models.map((model) => typed(model, settings.prices[model] ?? listPriceOf(model)));
  const isFilledIn = start.some((one, index) => one.input !== saved[index]?.input);
  const saving = useServerForm({
    values: { prices: start },
    checkAll: problemsIn,
    send: async ({ prices }) => {
      for (const [index, price] of prices.entries())
        if (fields.some(({ name }) => price[name] !== saved[index]?.[name]))
          await call('PUT', '/model-price', {
            body: {
              model: price.model,
              input: numberOrNull(price.input),
              output: numberOrNull(price.output),
              cached_input: numberOrNull(price.cached_input),
            },
          });
    },
    sent: close,
    meta: { refetches: [['models'], ['model-usage']], done: t.saved },
  });
  return (
    <FormDialog
      title={t.setTitle(provider.name)}
      action={texts.common.save}
      of={saving}
      close={close}
      size="lg"
    >
      <Hint>{t.help}</Hint>
      {isFilledIn && (
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
      {models.map((model, index) => (
        <Fieldset key={model} legend={<span className="mono">{model}</span>}>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            {fields.map(({ name, label }) => (
              <NumberInput
                key={name}
                label={label}
                prefix="$"
                {...bounds}
                {...(index === 0 && name === 'input' && { 'data-autofocus': true })}
                {...saving.form.getInputProps(`prices.${String(index)}.${name}`)}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      ))}
    </FormDialog>
  );
}
