/** The page of the organization's usage, limits and retention, and of the export and erasure of its data. */
import { Alert, Anchor, Group, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import type { Expiring } from '../../../contract/accounts/organization.ts';
import type { CreditCaps } from '../../../contract/data/credit-caps.ts';
import type { ModelUsage, Usage } from '../../../contract/data/usage.ts';
import { call } from '../../client.ts';
import { CapFields } from '../../components/cap-fields.tsx';
import { allCaps, capsIn, capValues } from '../../components/cap-values.ts';
import { ConfirmButton, Question, type QuestionText } from '../../components/dialogs.tsx';
import { ErasureSize } from '../../components/erasure-size.tsx';
import { amount, limitText, countText } from '../../components/format.ts';
import { Heading, Page, Section } from '../../components/page.tsx';
import { useList, useRead } from '../../components/queries.ts';
import { Loaded, Submit } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Hint } from '../../components/text.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { useServerForm, within, type Bounds } from '../../components/use-server-form.ts';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';
import { useSession } from '../../shell/session.ts';
import { limitQuestion } from './limit-question.ts';

const t = texts.data;
type Day = Usage['days'][number];

const mebibyte = 1024 * 1024;
const inBytes = (bytes: number) =>
  bytes < mebibyte
    ? `${countText(Math.ceil(bytes / 1024))} KB`
    : `${(bytes / mebibyte).toLocaleString(locale, { maximumFractionDigits: 1 })} MB`;

const columns: readonly Column<Day>[] = [
  { label: t.columns.day, render: ({ day }) => day },
  { label: t.columns.messages, isFigure: true, render: ({ messages }) => countText(messages) },
  { label: t.columns.runs, isFigure: true, render: ({ runs }) => countText(runs) },
  { label: t.columns.credits, isFigure: true, render: ({ credits }) => amount(credits) },
];

const m = t.modelColumns;
const modelColumns: readonly Column<ModelUsage>[] = [
  { label: m.model, render: ({ model }) => <span className="mono">{model}</span> },
  { label: m.calls, isFigure: true, render: ({ calls }) => countText(calls) },
  { label: m.input, isFigure: true, render: ({ input_tokens }) => countText(input_tokens) },
  { label: m.output, isFigure: true, render: ({ output_tokens }) => countText(output_tokens) },
  { label: m.credits, isFigure: true, render: ({ credits }) => amount(credits) },
];

export function Data() {
  const usage = useRead<Usage>(['usage'], '/usage');
  const { data: byModel = [] } = useList<ModelUsage>('model-usage', '/model-usage');
  const organization = useRead<{ retention_days: number | null }>(['organization'], '/organization');
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={usage}>
        {({ organization: { used, limit, messages, message_limit }, credit_caps, storage, days }) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }}>
              <Panel title={t.limit}>
                <Text>{t.credits(amount(used), limitText(limit))}</Text>
                <NumberSetting
                  name="monthly_credit_limit"
                  label={t.limitLabel}
                  help={t.limitHelp}
                  value={limit}
                  bounds={{ min: 0 }}
                  ask={(next) => limitQuestion('organization', 'credits', next, used)}
                />
              </Panel>
              <Panel title={t.messageLimit}>
                <Text>{t.messages(amount(messages), limitText(message_limit))}</Text>
                <NumberSetting
                  name="monthly_message_limit"
                  label={t.messageLimitLabel}
                  help={t.limitHelp}
                  value={message_limit}
                  bounds={{ min: 0, whole: true }}
                  ask={(next) => limitQuestion('organization', 'messages', next, messages)}
                />
              </Panel>
              <Storage storage={storage} />
            </SimpleGrid>
            <Caps caps={credit_caps} used={{ day: days.at(-1)?.credits ?? 0, month: used }} />
            <SimpleGrid cols={{ base: 1, lg: byModel.length > 0 ? 2 : 1 }} style={{ alignItems: 'start' }}>
              <Section title={t.byDay} label={t.table}>
                <DataTable
                  label={t.table}
                  rows={days.filter(({ runs }) => runs > 0).toReversed()}
                  rowKey={({ day }) => day}
                  columns={columns}
                  empty={<Hint>{t.noDays}</Hint>}
                />
              </Section>
              {byModel.length > 0 && (
                <Section title={t.byModel} label={t.byModel}>
                  <DataTable
                    label={t.byModel}
                    rows={byModel}
                    rowKey={({ model }) => model}
                    columns={modelColumns}
                  />
                </Section>
              )}
            </SimpleGrid>
          </Stack>
        )}
      </Loaded>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }}>
        <Loaded query={organization}>
          {({ retention_days }) => (
            <Panel title={t.retention}>
              <NumberSetting
                name="retention_days"
                label={t.retentionLabel}
                help={t.retentionHelp}
                none={t.keepAll}
                value={retention_days}
                bounds={{ min: 1, max: 36_500, whole: true }}
                ask={(next) => retentionQuestion(next, retention_days)}
                send={(body) => call('PATCH', '/organization', { body })}
              />
            </Panel>
          )}
        </Loaded>
        <Panel title={t.export}>
          <Text size="sm">{t.exportText}</Text>
          <Anchor href="/console/api/export" download="parley-export.jsonl">
            {t.exportAction}
          </Anchor>
        </Panel>
        <EraseContact />
      </SimpleGrid>
    </Page>
  );
}

function Caps({ caps, used }: { caps: CreditCaps | null; used: Readonly<Record<'day' | 'month', number>> }) {
  const saving = useServerForm({
    values: { credit_caps: capValues(caps, allCaps) },
    ask: ({ credit_caps }) => capsQuestion(capsIn(credit_caps), used),
    send: ({ credit_caps }) => call('PUT', '/limit', { body: { credit_caps: capsIn(credit_caps) } }),
    meta: { refetches: [['usage']], done: texts.common.saved },
  });
  return (
    <Panel title={t.capsTitle} isWide>
      <SettingForm of={saving} save={t.saveCaps}>
        <Hint>{t.capsHelp}</Hint>
        <CapFields names={allCaps} inputProps={(path) => saving.form.getInputProps(path)} />
      </SettingForm>
      {saving.question && <Question {...saving.question} />}
    </Panel>
  );
}

/** A form with a save button. Shows the error of the last attempt above the button, unless a field shows an error. */
function SettingForm(props: {
  of: {
    form: { errors: object };
    trying: { error: Error | null; isPending: boolean };
    submit: (event: SyntheticEvent<HTMLFormElement>) => void;
  };
  save: string;
  /** The button's name for screen readers; by default, the button's text `save`. */
  label?: string;
  children: ReactNode;
}) {
  const { of, save, label = save, children } = props;
  const isBeside = Object.keys(of.form.errors).length > 0;
  return (
    <form noValidate onSubmit={of.submit}>
      <Stack>
        {children}
        <Submit of={isBeside ? { ...of.trying, error: null } : of.trying} label={save} aria-label={label} />
      </Stack>
    </form>
  );
}

function Storage({ storage: { used_bytes, limit_bytes, limit_is_default } }: Pick<Usage, 'storage'>) {
  const ownLimit = limit_is_default ? null : limit_bytes;
  const defaultLimit = limit_is_default ? limit_bytes : null;
  return (
    <Panel title={t.storage}>
      <Text>{t.stored(inBytes(used_bytes), limit_bytes === null ? null : inBytes(limit_bytes))}</Text>
      <NumberSetting
        name="storage_limit_megabytes"
        label={t.storageLabel}
        help={t.storageHelp}
        none={t.storageNone(defaultLimit === null ? null : inBytes(defaultLimit))}
        value={ownLimit === null ? null : ownLimit / mebibyte}
        bounds={{ min: 0, whole: true }}
        ask={(next) => storageQuestion(next, used_bytes)}
      />
    </Panel>
  );
}

function Panel(props: { title: string; isWide?: boolean; children: ReactNode }) {
  const { title, isWide = false, children } = props;
  return (
    <div className="panel facts">
      <Stack maw={isWide ? 820 : 420}>
        <Heading>{title}</Heading>
        {children}
      </Stack>
    </div>
  );
}

/**
 * Returns the text of the confirmation before the retention is shortened, which erases data at once. Undefined if the
 * retention is not shortened.
 * @param before the current retention in days; null for no limit
 */
async function retentionQuestion(
  days: number | null,
  before: number | null,
): Promise<QuestionText | undefined> {
  if (days === null || days >= (before ?? Infinity)) return undefined;
  const found = await call<Expiring>('GET', '/organization/expiring', { query: { days } });
  const { title, text, nothing, action, actionNothing } = t.retentionQuestion;
  if (found.whole + found.part === 0)
    return { title: title(days), text: nothing(days), action: actionNothing };
  return { title: title(days), text: text(days, found), action };
}

/** Returns the text of the confirmation for a storage limit that the stored files have already reached. */
function storageQuestion(megabytes: number | null, usedBytes: number): QuestionText | undefined {
  if (megabytes === null || megabytes * mebibyte > usedBytes) return undefined;
  const { title, text, action } = t.storageQuestion;
  return { title, text: text(inBytes(usedBytes), inBytes(megabytes * mebibyte)), action };
}

/**
 * Returns the text of the confirmation for caps that the organization's credits of today or this month have reached.
 */
function capsQuestion(
  caps: CreditCaps | null,
  used: Readonly<Record<'day' | 'month', number>>,
): QuestionText | undefined {
  const reached = (['day', 'month'] as const).filter(
    (period) => used[period] >= (caps?.[period] ?? Infinity),
  );
  if (reached.length === 0) return undefined;
  const { title, text, action } = t.capsQuestion;
  const lines = reached.map((period) => text[period](amount(used[period]), amount(caps?.[period] ?? 0)));
  return { title, text: [...lines, text.end].join(' '), action };
}

const saveLimit = (body: Record<string, number | null>) => call('PUT', '/limit', { body });

/**
 * A form for one number. An empty field is sent as null, which means no limit, unlimited retention or, for storage, the
 * installation's default limit.
 */
function NumberSetting(props: {
  /** The setting's name in the API. */
  name: string;
  label: string;
  help: string;
  /** Placeholder of the empty field. */
  none?: string;
  value: number | null;
  bounds: Bounds;
  /** Returns the text of a confirmation if the user must confirm this value before it is saved. */
  ask?: (value: number | null) => QuestionText | undefined | Promise<QuestionText | undefined>;
  send?: (body: Record<string, number | null>) => Promise<unknown>;
}) {
  const { name, label, help, none = t.none, value, bounds, ask, send = saveLimit } = props;
  const values: Record<string, number | string> = { [name]: value ?? '' };
  const numberIn = (now: typeof values) => numberOrNull(now[name] ?? '');
  const saving = useServerForm({
    values,
    check: { [name]: within(bounds) },
    ask: (now) => ask?.(numberIn(now)),
    send: (now) => send({ [name]: numberIn(now) }),
    meta: { refetches: [['usage'], ['limit'], ['organization']], done: texts.common.saved },
  });
  return (
    <>
      <SettingForm of={saving} save={texts.common.save} label={t.saveOf(label)}>
        <NumberInput
          label={label}
          description={help}
          placeholder={none}
          min={bounds.min}
          {...saving.form.getInputProps(name)}
        />
      </SettingForm>
      {saving.question && <Question {...saving.question} />}
    </>
  );
}

function EraseContact() {
  const { organization } = useSession();
  const [id, setId] = useState('');
  return (
    <Panel title={t.erase}>
      <TextInput
        label={t.contact}
        description={t.contactHelp}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Group>
        <ConfirmButton
          disabled={id === ''}
          {...t.eraseContact(id)}
          run={async () => {
            await call('DELETE', `/contacts/${encodeURIComponent(id)}`);
            setId('');
          }}
        >
          {id !== '' && <ErasureSize of={{ contact_id: id }} />}
        </ConfirmButton>
        <Anchor href={`/console/api/contacts/${encodeURIComponent(id)}/export`} hidden={id === ''} download>
          {t.exportContact}
        </Anchor>
      </Group>
      <Alert variant="light">{t.eraseOrganization(organization.id)}</Alert>
    </Panel>
  );
}
