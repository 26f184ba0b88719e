/** The tab of the monthly limits and the caps. */
import { NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import type { CreditCaps } from '../../../contract/data/credit-caps.ts';
import type { ModelUsage, OrganizationLimits, Usage } from '../../../contract/data/usage.ts';
import { call } from '../../client.ts';
import { allCaps, capsIn, capValues } from '../../components/cap-values.ts';
import { Question, type QuestionText } from '../../components/dialogs.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { amount, countText, roundCredits } from '../../components/format.ts';
import { useRead } from '../../components/queries.ts';
import { SaveBar } from '../../components/save-bar.tsx';
import { useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { limitQuestion } from './limit-question.ts';
import { CapTable, LimitTable, unit } from './limit-tables.tsx';
import { gibibyte, inBytes, mebibyte } from './of-limit.tsx';
import { costOfUsage } from './usage-cost.ts';
import { daysOf } from './usage-period.ts';

const t = texts.data;

/** The monthly limits and the caps in one form. Sends only what the user changed. */
export function Limits({ usage: { organization, credit_caps, storage, days } }: { usage: Usage }) {
  const { used, limit, messages, message_limit } = organization;
  const { used_bytes, limit_bytes, limit_is_default } = storage;
  const ownLimit = limit_is_default ? null : limit_bytes;
  const defaultLimit = limit_is_default && limit_bytes !== null ? inBytes(limit_bytes) : null;
  const values = {
    monthly_credit_limit: limit ?? '',
    monthly_message_limit: message_limit ?? '',
    storage_gigabytes: ownLimit === null ? '' : Math.round((1000 * ownLimit) / gibibyte) / 1000,
    credit_caps: capValues(credit_caps, allCaps),
  };
  // What the fields began with: `usage` may be newer, for example with another member's changes.
  const [saved, setSaved] = useState(values);
  const changesIn = (now: typeof values): OrganizationLimits => {
    const limitIn = (name: Exclude<keyof typeof values, 'credit_caps'>) =>
      changed(numberOrNull(now[name]), numberOrNull(saved[name]));
    return {
      monthly_credit_limit: limitIn('monthly_credit_limit'),
      monthly_message_limit: limitIn('monthly_message_limit'),
      storage_limit_megabytes: inMegabytes(limitIn('storage_gigabytes')),
      credit_caps: changed(capsIn(now.credit_caps), capsIn(saved.credit_caps)),
    };
  };
  const costs = useCosts();
  const ownUse = { day: days.at(-1)?.credits ?? 0, month: used };
  const whole = within({ min: 0, whole: true });
  const saving = useServerForm({
    values,
    check: {
      monthly_credit_limit: within({ min: 0 }),
      monthly_message_limit: whole,
      storage_gigabytes: within({ min: 0 }),
    },
    ask: (now) => {
      const set = changesIn(now);
      return together([
        limitQuestion('organization', 'credits', set.monthly_credit_limit ?? null, used),
        limitQuestion('organization', 'messages', set.monthly_message_limit ?? null, messages),
        storageQuestion(set.storage_limit_megabytes ?? null, used_bytes),
        capsQuestion(set.credit_caps ?? null, ownUse),
      ]);
    },
    send: (now) => call('PUT', '/limit', { body: changesIn(now) }),
    sent: (_, now) => setSaved(now),
    meta: { refetches: [['usage'], ['limit']], done: texts.common.saved },
  });
  const { form, question, trying } = saving;
  const hasErrors = Object.keys(form.errors).length > 0;
  return (
    <>
      <form noValidate onSubmit={saving.submit} className="wide">
        <Stack gap="md">
          <CapTable
            used={ownUse}
            costs={costs}
            saved={credit_caps}
            apiLimit={limit ?? undefined}
            inputProps={(path) => form.getInputProps(path)}
          />
          <LimitTable
            rows={[
              {
                label: t.limitLabel,
                help: t.limitHelp,
                bar: t.creditsThisMonth,
                used,
                limit,
                isMonthly: true,
                format: limit === null ? roundCredits : amount,
                cost: costs.month,
                full: t.limitFull,
                field: (
                  <NumberInput
                    placeholder={t.none}
                    min={0}
                    {...unit(t.units.credits)}
                    {...form.getInputProps('monthly_credit_limit')}
                  />
                ),
              },
              {
                label: t.messageLimitLabel,
                help: t.messageLimitHelp,
                bar: t.messagesThisMonth,
                used: messages,
                limit: message_limit,
                isMonthly: true,
                format: countText,
                full: t.limitFull,
                field: (
                  <NumberInput
                    placeholder={t.none}
                    min={0}
                    {...unit(t.units.messages)}
                    {...form.getInputProps('monthly_message_limit')}
                  />
                ),
              },
              {
                label: t.storageLabel,
                help: t.storageHelp,
                bar: t.storage,
                used: used_bytes,
                limit: limit_bytes,
                isMonthly: false,
                format: inBytes,
                full: t.storageFull,
                field: (
                  <NumberInput
                    placeholder={t.storageNone(defaultLimit)}
                    min={0}
                    decimalScale={3}
                    {...unit(t.units.storage)}
                    {...form.getInputProps('storage_gigabytes')}
                  />
                ),
              },
            ]}
          />
          <SaveBar
            action={t.saveLimits}
            hasChanges={Object.values(changesIn(form.values)).some((change) => change !== undefined)}
            isSaving={trying.isPending}
            error={hasErrors ? null : trying.error}
            discard={() => {
              form.setValues(saved);
              form.clearErrors();
            }}
          />
        </Stack>
      </form>
      {question && <Question {...question} />}
    </>
  );
}

/** @returns what the model calls of today and of this month (UTC) cost; undefined if that is not known */
function useCosts(): Record<'day' | 'month', number | undefined> {
  const { from, to } = daysOf('month', new Date());
  const day = useRead<ModelUsage>(['model-usage', to, to], '/model-usage', { query: { from: to, to } }).data;
  const month = useRead<ModelUsage>(['model-usage', from, to], '/model-usage', { query: { from, to } }).data;
  const costOf = (usage: ModelUsage | undefined) => (usage && costOfUsage(usage).cost_usd) ?? undefined;
  return { day: costOf(day), month: costOf(month) };
}

/** @returns the limit in whole mebibytes, as the API takes it */
const inMegabytes = (gigabytes: number | null | undefined): number | null | undefined =>
  gigabytes == null ? gigabytes : Math.round(gigabytes * 1024);

/** @returns the typed value; undefined if it is the saved one */
function changed<T>(typed: T, saved: T): T | undefined {
  return JSON.stringify(typed) === JSON.stringify(saved) ? undefined : typed;
}

type Consequence = Omit<QuestionText, 'action'>;

/** Joins the consequences that the user must confirm. @returns undefined if there are none */
function together(all: readonly (Consequence | undefined)[]): QuestionText | undefined {
  const asked = all.filter((one) => one !== undefined);
  if (asked.length === 0) return undefined;
  const join = (part: keyof Consequence) => [...new Set(asked.map((one) => one[part]))].join(' ');
  return { title: join('title'), text: join('text'), action: t.saveLimits };
}

/** Returns the text of the confirmation for a storage limit that the stored files have already reached. */
function storageQuestion(megabytes: number | null, usedBytes: number): Consequence | undefined {
  if (megabytes === null || megabytes * mebibyte > usedBytes) return undefined;
  const { title, text } = t.storageQuestion;
  return { title, text: text(inBytes(usedBytes), inBytes(megabytes * mebibyte)) };
}

/**
 * Returns the text of the confirmation for caps that the organization's credits of today or this month have reached.
 */
function capsQuestion(
  caps: CreditCaps | null,
  used: Readonly<Record<'day' | 'month', number>>,
): Consequence | undefined {
  const reached = (['day', 'month'] as const).filter(
    (period) => used[period] >= (caps?.[period] ?? Infinity),
  );
  if (reached.length === 0) return undefined;
  const { title, text } = t.capsQuestion;
  const lines = reached.map((period) => text[period](amount(used[period]), amount(caps?.[period] ?? 0)));
  return { title, text: [...lines, text.end].join(' ') };
}
