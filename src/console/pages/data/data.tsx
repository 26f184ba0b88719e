/** The page of the organization's usage, limits and retention, and of the export and erasure of its data. */
import {
  Autocomplete,
  Button,
  Code,
  Group,
  NumberInput,
  Progress,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import type { Expiring } from '../../../contract/accounts/organization.ts';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import type { CreditCaps } from '../../../contract/data/credit-caps.ts';
import type { ModelUsage, OrganizationLimits, Usage } from '../../../contract/data/usage.ts';
import { call } from '../../client.ts';
import { CapFields } from '../../components/cap-fields.tsx';
import { allCaps, capsIn, capValues } from '../../components/cap-values.ts';
import { Copy } from '../../components/copy.tsx';
import { quoted } from '../../components/curl.ts';
import { ConfirmButton, Question, type QuestionText } from '../../components/dialogs.tsx';
import { ErasureSize } from '../../components/erasure-size.tsx';
import { useFilter } from '../../components/filters.tsx';
import { amount, countText, creditText, dollars } from '../../components/format.ts';
import { Page, Section, Tile } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded, Submit } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Fold, Hint, Nothing } from '../../components/text.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { useServerForm, within } from '../../components/use-server-form.ts';
import { locale } from '../../language.ts';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { hasTrend } from './has-trend.ts';
import { limitQuestion } from './limit-question.ts';

const t = texts.data;
const Charts = lazily<'UsageCharts', Pick<Usage, 'days'>>(
  () => import('./charts.tsx'),
  'UsageCharts',
  <div className="usage-waiting" />,
);

const mebibyte = 1024 * 1024;
/** Formats bytes in whole KB or, from 1 MB or 1 GB on, in that unit with one decimal. */
function inBytes(bytes: number): string {
  if (bytes < mebibyte) return `${countText(Math.ceil(bytes / 1024))} KB`;
  const [unit, size] = bytes < 1024 * mebibyte ? ['MB', mebibyte] : ['GB', 1024 * mebibyte];
  return `${(bytes / size).toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`;
}

/** Usage of one model, or the credits of everything that is stored without its model. */
type UsageRow = Partial<ModelUsage['data'][number]> & { name: string; credits: number };

const m = t.modelColumns;
const figure = (count: number | undefined) => (count === undefined ? <Nothing /> : countText(count));
const modelColumns: readonly Column<UsageRow>[] = [
  {
    label: m.model,
    render: ({ model, name }) => (model === undefined ? name : <span className="mono">{model}</span>),
  },
  { label: m.calls, isFigure: true, render: ({ calls }) => figure(calls) },
  { label: m.input, isFigure: true, render: ({ input_tokens }) => figure(input_tokens) },
  { label: m.output, isFigure: true, render: ({ output_tokens }) => figure(output_tokens) },
  {
    label: m.cost,
    isFigure: true,
    render: ({ cost_usd }) => (cost_usd == null ? <Nothing /> : dollars(cost_usd)),
  },
  { label: m.credits, isFigure: true, render: ({ credits }) => creditText(credits) },
];

const tabs = ['usage', 'limits', 'keeping'] as const;

export function Data() {
  const usage = useRead<Usage>(['usage'], '/usage');
  const [wanted, setTab] = useFilter('tab');
  const tab = tabs.find((one) => one === wanted) ?? 'usage';
  return (
    <Page title={t.title} lead={t.lead}>
      <Tabs value={tab} onChange={(next) => setTab(next ?? undefined)}>
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* The charts measure their place, which a hidden tab does not have. The forms keep what the user typed. */}
        <Tabs.Panel value="usage" pt="lg">
          {tab === 'usage' && <Loaded query={usage}>{(loaded) => <Used usage={loaded} />}</Loaded>}
        </Tabs.Panel>
        <Tabs.Panel value="limits" pt="lg">
          <Loaded query={usage}>{(loaded) => <Limits usage={loaded} />}</Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="keeping" pt="lg">
          <Keeping />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Usage of this month, by day and by model. */
function Used({ usage }: { usage: Usage }) {
  const { days } = usage;
  return (
    <Stack gap="sm">
      <Section title={t.thisMonth} label={t.thisMonth}>
        <ThisMonth usage={usage} />
      </Section>
      <Hint>{t.usageLead(days.length)}</Hint>
      {hasTrend(days, ({ messages, runs, credits }) => messages + runs + credits) ? (
        <Charts days={days} />
      ) : (
        <Hint>{texts.overview.charts.later}</Hint>
      )}
      <ByModel />
    </Stack>
  );
}

function Keeping() {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Retention />
        <Panel title={t.export}>
          <Hint>{t.exportText}</Hint>
          <Button
            component="a"
            variant="default"
            href="/console/api/export"
            download="parley-export.jsonl"
            style={{ alignSelf: 'flex-start' }}
          >
            {t.exportAction}
          </Button>
        </Panel>
      </SimpleGrid>
      <Section title={t.erasure} lead={t.erasureLead}>
        <Stack gap={0} className="panel danger">
          <EraseContact />
          <EraseOrganization />
        </Stack>
      </Section>
    </Stack>
  );
}

function ThisMonth({ usage: { organization, storage } }: { usage: Usage }) {
  const { used, limit, messages, message_limit } = organization;
  return (
    <SimpleGrid cols={3} spacing={{ base: 'xs', sm: 'md' }} className="month">
      <OfLimit name={t.credits} used={used} limit={limit} format={amount} />
      <OfLimit name={t.messages} used={messages} limit={message_limit} format={countText} />
      <OfLimit name={t.storage} used={storage.used_bytes} limit={storage.limit_bytes} format={inBytes} />
    </SimpleGrid>
  );
}

/** Shows how much is used, and how much of the limit that is. @param props.children shown below, for example a field */
function OfLimit(props: {
  name: string;
  used: number;
  limit: number | null;
  format: (value: number) => string;
  children?: ReactNode;
}) {
  const { name, used, limit, format, children } = props;
  const percent = limit === null ? 0 : Math.min(100, limit === 0 ? 100 : (100 * used) / limit);
  return (
    <Tile
      label={name}
      figure={
        <>
          {format(used)}
          {limit !== null && (
            <Text span size="sm" c="dimmed">
              {' '}
              {t.ofLimit(format(limit))}
            </Text>
          )}
        </>
      }
    >
      <div className="of-limit">
        {limit === null ? (
          <Hint size="xs">{t.none}</Hint>
        ) : (
          <Progress
            value={percent}
            color={percent < 80 ? 'indigo' : percent < 100 ? 'orange' : 'red'}
            aria-label={name}
          />
        )}
      </div>
      {children}
    </Tile>
  );
}

/** The monthly limits and the caps in one form. Sends only what the user changed. */
function Limits({ usage: { organization, credit_caps, storage, days } }: { usage: Usage }) {
  const { used, limit, messages, message_limit } = organization;
  const { used_bytes, limit_bytes, limit_is_default } = storage;
  const storageLimit = limit_is_default || limit_bytes === null ? null : limit_bytes / mebibyte;
  const defaultLimit =
    limit_is_default && limit_bytes !== null ? countText(Math.round(limit_bytes / mebibyte)) : null;
  const values = {
    monthly_credit_limit: limit ?? '',
    monthly_message_limit: message_limit ?? '',
    storage_limit_megabytes: storageLimit ?? '',
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
      storage_limit_megabytes: limitIn('storage_limit_megabytes'),
      credit_caps: changed(capsIn(now.credit_caps), capsIn(saved.credit_caps)),
    };
  };
  const whole = within({ min: 0, whole: true });
  const saving = useServerForm({
    values,
    check: {
      monthly_credit_limit: within({ min: 0 }),
      monthly_message_limit: whole,
      storage_limit_megabytes: whole,
    },
    ask: (now) => {
      const set = changesIn(now);
      return together([
        limitQuestion('organization', 'credits', set.monthly_credit_limit ?? null, used),
        limitQuestion('organization', 'messages', set.monthly_message_limit ?? null, messages),
        storageQuestion(set.storage_limit_megabytes ?? null, used_bytes),
        capsQuestion(set.credit_caps ?? null, { day: days.at(-1)?.credits ?? 0, month: used }),
      ]);
    },
    send: (now) => call('PUT', '/limit', { body: changesIn(now) }),
    sent: (_, now) => setSaved(now),
    meta: { refetches: [['usage'], ['limit']], done: texts.common.saved },
  });
  const { form, question } = saving;
  return (
    <>
      <SettingForm
        of={saving}
        save={t.saveLimits}
        isChanged={Object.values(changesIn(form.values)).some((change) => change !== undefined)}
        className="wide"
      >
        <Hint maw={720}>{t.limitHelp}</Hint>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <OfLimit name={t.credits} used={used} limit={limit} format={amount}>
            <NumberInput
              mt="md"
              label={t.limitLabel}
              placeholder={t.none}
              min={0}
              {...form.getInputProps('monthly_credit_limit')}
            />
          </OfLimit>
          <OfLimit name={t.messages} used={messages} limit={message_limit} format={countText}>
            <NumberInput
              mt="md"
              label={t.messageLimitLabel}
              placeholder={t.none}
              min={0}
              {...form.getInputProps('monthly_message_limit')}
            />
          </OfLimit>
          <OfLimit name={t.storage} used={used_bytes} limit={limit_bytes} format={inBytes}>
            <NumberInput
              mt="md"
              label={t.storageLabel}
              description={t.storageHelp}
              // Below the field, so that the three fields are in line.
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder={t.storageNone(defaultLimit)}
              min={0}
              {...form.getInputProps('storage_limit_megabytes')}
            />
          </OfLimit>
        </SimpleGrid>
        <Fold
          isNeeded={capsIn(form.values.credit_caps) !== null}
          head={
            <>
              {t.capsTitle}
              {capsIn(form.values.credit_caps) === null && <Hint>{t.noCap}</Hint>}
            </>
          }
        >
          <Hint maw={680}>{t.capsHelp}</Hint>
          <CapFields names={allCaps} inputProps={(path) => form.getInputProps(path)} />
        </Fold>
      </SettingForm>
      {question && <Question {...question} />}
    </>
  );
}

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

/** This month's usage by model, and in rows of their own the credits without a model. Renders nothing if there are none. */
function ByModel() {
  const { data } = useRead<ModelUsage>(['model-usage'], '/model-usage');
  if (data === undefined) return null;
  const { rehearsals, erased } = data.other;
  const rows: UsageRow[] = [
    ...data.data.map((one) => ({ ...one, name: one.model })),
    ...[
      { name: t.rehearsals, credits: rehearsals },
      { name: t.erasedData, credits: erased },
    ].filter(({ credits }) => credits > 0),
  ];
  if (rows.length === 0) return null;
  return (
    <>
      <Subheading>{t.byModel}</Subheading>
      <DataTable
        label={t.byModel}
        rows={rows}
        rowKey={({ name }) => name}
        // Without prices, no model has a cost.
        columns={modelColumns.filter(
          ({ label }) => label !== m.cost || rows.some(({ cost_usd }) => cost_usd != null),
        )}
      />
    </>
  );
}

function Subheading({ order = 3, children }: { order?: 2 | 3; children: ReactNode }) {
  return (
    <Title order={order} size="h5">
      {children}
    </Title>
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
  /** False as long as there is nothing to save. */
  isChanged: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { of, save, label = save, isChanged, className, children } = props;
  const isBeside = Object.keys(of.form.errors).length > 0;
  return (
    <form noValidate onSubmit={of.submit} className={className}>
      <Stack>
        {children}
        <Submit
          of={isBeside ? { ...of.trying, error: null } : of.trying}
          label={save}
          aria-label={label}
          isIdle={!isChanged}
        />
      </Stack>
    </form>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="panel facts">
      <Stack>
        <Subheading order={2}>{title}</Subheading>
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

function Retention() {
  const organization = useRead<{ retention_days: number | null }>(['organization'], '/organization');
  return (
    <Panel title={t.retention}>
      <Loaded query={organization}>{({ retention_days }) => <DaysToKeep days={retention_days} />}</Loaded>
    </Panel>
  );
}

/** @param props.days the current retention; null for no limit */
function DaysToKeep({ days }: { days: number | null }) {
  const saving = useServerForm({
    values: { retention_days: days ?? '' },
    check: { retention_days: within({ min: 1, max: 36_500, whole: true }) },
    ask: (now) => retentionQuestion(numberOrNull(now.retention_days), days),
    send: (now) =>
      call('PATCH', '/organization', { body: { retention_days: numberOrNull(now.retention_days) } }),
    meta: { refetches: [['organization']], done: texts.common.saved },
  });
  return (
    <>
      <SettingForm
        of={saving}
        save={texts.common.save}
        label={t.saveOf(t.retentionLabel)}
        isChanged={numberOrNull(saving.form.values.retention_days) !== days}
      >
        <NumberInput
          label={t.retentionLabel}
          description={t.retentionHelp}
          placeholder={t.keepAll}
          min={1}
          {...saving.form.getInputProps('retention_days')}
        />
      </SettingForm>
      {saving.question && <Question {...saving.question} />}
    </>
  );
}

function EraseContact() {
  const [id, setId] = useState('');
  return (
    <div className="facts">
      <Subheading>{t.erase}</Subheading>
      <Group align="flex-end" gap="sm" mt="xs">
        <ContactField id={id} setId={setId} />
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
        {id !== '' && (
          <Button
            component="a"
            variant="default"
            href={`/console/api/contacts/${encodeURIComponent(id)}/export`}
            download
          >
            {t.exportContact}
          </Button>
        )}
      </Group>
    </div>
  );
}

/** Number of contacts that the field offers. Chosen. */
const maxContacts = 8;
/** Number of characters from which the field offers contacts. Chosen. */
const minChars = 2;

/** A field for a contact's id. Offers the contacts whose id, name or messages have what is typed. */
function ContactField({ id, setId }: { id: string; setId: (id: string) => void }) {
  const may = useCan()('conversations.view');
  const [search] = useDebouncedValue(id.trim(), 250);
  const { data } = useRead<{ data: ConversationRow[] }>(['inbox', 'contacts', search], '/conversations', {
    query: { search, limit: maxContacts },
    enabled: may && search.length >= minChars,
  });
  const contacts = data?.data.flatMap(({ contact }) => (contact === undefined ? [] : [contact])) ?? [];
  const names = new Map(contacts.map((contact) => [contact.id, contact.name]));
  return (
    <Autocomplete
      label={t.contact}
      description={t.contactHelp}
      flex="1 1 320px"
      maw={480}
      data={[...names.keys()].filter((found) => found !== id)}
      // The server has already filtered them.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{names.get(option.value) ?? option.value}</Text>
          {names.get(option.value) !== undefined && <Hint size="xs">{option.value}</Hint>}
        </div>
      )}
      value={id}
      onChange={setId}
    />
  );
}

function EraseOrganization() {
  const { id, name } = useSession().organization;
  const command = `npm run parley -- erase organization ${id} --name ${quoted(name)}`;
  return (
    <div className="facts">
      <Subheading>{t.eraseOrganization}</Subheading>
      <Hint mt={4} mb="xs">
        {t.eraseOrganizationHelp}
      </Hint>
      <Group gap="sm">
        <Code block flex="1 1 320px" className="command">
          {command}
        </Code>
        <Copy text={command} label={texts.start.copyCommand} />
      </Group>
    </div>
  );
}
