/** The two tables of the limits: each row has a name, what it stops, and the fields. */
import { NumberInput, Table, Text, Title } from '@mantine/core';
import { cloneElement, useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import type { CreditCaps } from '../../../contract/data/credit-caps.ts';
import type { CapName } from '../../components/cap-values.ts';
import { amount, costText, roundCredits } from '../../components/format.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { LimitBar, LimitWarning, UsedOf } from './of-limit.tsx';

const t = texts.data;

interface Head {
  name: string;
  /** A shorter explanation below the name. */
  note?: string;
}

/** A panel with a heading and a table. On narrow screens, the name of each row is above its two other cells. */
function SettingTable(props: {
  title: string;
  lead: string;
  /** Says what the saved settings amount to. */
  verdict?: string;
  heads: readonly Head[];
  children: ReactNode;
}) {
  const { title, lead, verdict, heads, children } = props;
  return (
    <section className="panel setting-panel" aria-label={title}>
      <div className="setting-head">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Hint>{lead}</Hint>
        {verdict !== undefined && (
          <Text size="sm" mt={6}>
            {verdict}
          </Text>
        )}
      </div>
      <Table role="table" className="setting-table" aria-label={title}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {heads.map(({ name, note }) => (
              <Table.Th key={name} role="columnheader" scope="col">
                {name}
                {note !== undefined && <Hint size="xs">{note}</Hint>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">{children}</Table.Tbody>
      </Table>
    </section>
  );
}

function SettingRow(props: { name: ReactNode; help: string; children: ReactNode }) {
  const { name, help, children } = props;
  return (
    <Table.Tr role="row">
      <Table.Th role="rowheader" scope="row">
        {name}
        <Hint>{help}</Hint>
      </Table.Th>
      {children}
    </Table.Tr>
  );
}

interface LimitRow {
  /** Names the row and its field. */
  label: string;
  help: string;
  /** Names the bar for screen readers. */
  bar: string;
  used: number;
  limit: number | null;
  /** True if the use counts from the first of the month on. */
  isMonthly: boolean;
  format: (value: number) => string;
  /** What that costs in US dollars; absent if no price is known. */
  cost?: number | undefined;
  /** Says what happens once the limit is reached. */
  full: string;
  field: ReactElement<{ id?: string }>;
}

export function LimitTable({ rows }: { rows: readonly LimitRow[] }) {
  const id = useId();
  return (
    <SettingTable
      title={t.limitsTitle}
      lead={t.limitsLead}
      heads={[{ name: t.limitHeads.name }, { name: t.limitHeads.used }, { name: t.limitHeads.limit }]}
    >
      {rows.map(({ label, help, bar, used, limit, isMonthly, format, cost, full, field }, index) => {
        const fieldId = `${id}${String(index)}`;
        return (
          <SettingRow key={label} name={<label htmlFor={fieldId}>{label}</label>} help={help}>
            <Table.Td role="cell">
              <div className="setting-used">
                <UsedOf {...{ used, limit, format }} />
                {cost !== undefined && <Dollars cost={cost} />}
              </div>
              {limit !== null && (
                <>
                  <LimitBar name={bar} used={used} limit={limit} />
                  <LimitWarning near={t.limitNear} {...{ used, limit, full }} />
                </>
              )}
              <Hint size="xs">{isMonthly ? t.limitHeads.resets : t.limitHeads.stays}</Hint>
            </Table.Td>
            <Table.Td role="cell">{cloneElement(field, { id: fieldId })}</Table.Td>
          </SettingRow>
        );
      })}
    </SettingTable>
  );
}

function Dollars({ cost }: { cost: number }) {
  return (
    <Text span size="sm" c="dimmed" fw={400}>
      {' '}
      · {costText(cost)}
    </Text>
  );
}

/** @returns the props of a field that shows its unit at its end */
export const unit = (name: string): ComponentProps<typeof NumberInput> => ({
  rightSection: name,
  rightSectionWidth: 'auto',
  rightSectionPointerEvents: 'none',
  rightSectionProps: { className: 'field-unit' },
  hideControls: true,
});

const textOf = (cap: number | undefined): string | undefined => (cap === undefined ? undefined : amount(cap));

const capRows: readonly { name: keyof typeof t.capRows; day: CapName; month: CapName }[] = [
  { name: 'organization', day: 'day', month: 'month' },
  { name: 'contact', day: 'contact_day', month: 'contact_month' },
  { name: 'conversation', day: 'conversation_day', month: 'conversation_month' },
];

/**
 * @param props.used the organization's credits of today and of this month
 * @param props.costs what that costs in US dollars; undefined if no price is known
 * @param props.saved the saved caps; null if there are none
 * @param props.apiLimit the saved limit of credits per month for the API
 * @param props.inputProps returns the form's input props for a path, here `credit_caps.` and the name of the cap
 */
export function CapTable(props: {
  used: Readonly<Record<'day' | 'month', number>>;
  costs: Readonly<Record<'day' | 'month', number | undefined>>;
  saved: CreditCaps | null;
  apiLimit: number | undefined;
  inputProps: (path: string) => ComponentProps<typeof NumberInput>;
}) {
  const { used, costs, saved, apiLimit, inputProps } = props;
  /** The part of the organization's own cap that is used, shown below its field. */
  const usedOfCap = (period: 'day' | 'month'): ComponentProps<typeof NumberInput> => {
    const cost = costs[period];
    const text = `${t.capUsed[period](roundCredits(used[period]))}${cost === undefined ? '' : ` · ${costText(cost)}`}`;
    const cap = saved?.[period];
    return {
      description: text,
      inputWrapperOrder: ['input', 'description', 'error'],
      ...(cap !== undefined && {
        inputContainer: (input) => (
          <>
            {input}
            <LimitBar name={text} used={used[period]} limit={cap} />
            <LimitWarning near={t.capNear} full={t.capFull} used={used[period]} limit={cap} />
          </>
        ),
      }),
    };
  };
  return (
    <SettingTable
      title={t.capsTitle}
      lead={t.capsLead}
      verdict={t.capVerdict(textOf(saved?.day), textOf(saved?.month), textOf(apiLimit))}
      heads={[
        { name: t.capHeads.name },
        { name: t.capHeads.day, note: t.capHeads.dayEnds },
        { name: t.capHeads.month, note: t.capHeads.monthEnds },
      ]}
    >
      {capRows.map(({ name, ...caps }) => (
        <SettingRow key={name} name={t.capRows[name].name} help={t.capRows[name].stops}>
          {(['day', 'month'] as const).map((period) => (
            <Table.Td key={period} role="cell">
              <NumberInput
                aria-label={t.caps[caps[period]]}
                placeholder={t.noCap}
                min={0}
                {...unit(t.units.credits)}
                {...(name === 'organization' && usedOfCap(period))}
                {...inputProps(`credit_caps.${caps[period]}`)}
              />
            </Table.Td>
          ))}
        </SettingRow>
      ))}
    </SettingTable>
  );
}
