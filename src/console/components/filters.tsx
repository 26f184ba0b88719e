/** Filters of a list. Their values are in the page's URL, so that the Back button and a reload restore them. */
import { Button, Group, Select, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { texts } from '../messages.ts';
import { IconFilter } from './icons.tsx';
import { useAgents } from './queries.ts';

/** Reads and sets a filter's value in the page's URL. Setting undefined or an empty text removes the filter. */
export function useFilter(name: string): [string | undefined, (value: string | undefined) => void] {
  const [given, change] = useFilterValues();
  return [given.get(name) ?? undefined, (value) => change({ [name]: value })];
}

/** Reads the filters in the page's URL, and sets several at once. Undefined or an empty text removes a filter. */
export function useFilterValues(): [URLSearchParams, (values: Filters) => void] {
  const [given, change] = useSearchParams();
  const choose = (values: Filters) =>
    change(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [given, choose];
}

export function FilterSelect(props: {
  /** Name of the parameter in the URL and in the API call. */
  name: string;
  label: string;
  /** Text while nothing is selected, and the name of the button that clears the selection. */
  all: string;
  choices: readonly { value: string; label: string }[];
  width?: number;
}) {
  const { name, label, all, choices, width = 200 } = props;
  const [value, choose] = useFilter(name);
  return (
    <Select
      label={label}
      placeholder={all}
      data={[...choices]}
      value={value ?? null}
      onChange={(chosen) => choose(chosen ?? undefined)}
      allowDeselect
      clearable
      clearButtonProps={{ 'aria-label': all }}
      searchable
      w={{ base: '100%', xs: width }}
    />
  );
}

/** A filter as a row of links: all rows, and the rows with each value. The link of the set value removes the filter. */
export function FilterLinks(props: {
  /** Name of the parameter in the URL and in the API call. */
  name: string;
  label: string;
  /** Text of the link to all rows. Default: there is none. */
  all?: string;
  /** Labels by value. */
  choices: Readonly<Record<string, string>>;
  /** Numbers shown after labels, by value; a text may say that there are more. Zero is not shown. */
  counts?: Readonly<Record<string, number | string | undefined>> | undefined;
  /** Explanations shown on hover, by value. */
  titles?: Readonly<Record<string, string>>;
}) {
  const { name, label, all, choices, counts = {}, titles = {} } = props;
  const [path] = useLocation();
  const [params] = useSearchParams();
  const chosen = params.get(name) ?? '';
  return (
    <nav aria-label={label} className="views filter-links">
      {Object.entries(all === undefined ? choices : { '': all, ...choices }).map(([value, text]) => {
        const next = new URLSearchParams(params);
        next.delete(name);
        if (value !== '' && value !== chosen) next.set(name, value);
        return (
          <Link
            key={value}
            href={`${path}${next.size > 0 ? `?${next.toString()}` : ''}`}
            className="view"
            title={titles[value]}
            aria-current={chosen === value ? 'true' : undefined}
          >
            {text}
            {(counts[value] ?? 0) !== 0 && <span className="view-count"> {counts[value]}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

export function AgentFilter() {
  const { columns, allAgents } = texts.conversations;
  const choices = (useAgents().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <FilterSelect name="agent_id" label={columns.agent} all={allAgents} choices={choices} width={220} />;
}

export type Filters = Record<string, string | undefined>;

/**
 * Reads the named filters and the days `from` and `to` from the page's URL. Converts `from` to the start of its day and
 * `to` to the start of the next day, in the user's time zone. A malformed day and an incomplete id become undefined.
 */
export function useFilters(names: readonly string[]): Filters {
  const [params] = useSearchParams();
  const given = (name: string) => params.get(name) ?? undefined;
  // Drops an incomplete id, for example from a URL that was cut off, because the API would refuse it.
  const usable = (name: string) => {
    const value = given(name);
    return value !== undefined && name.endsWith('_id') && !wholeId.test(value) ? undefined : value;
  };
  const filters: Filters = Object.fromEntries(names.map((name) => [name, usable(name)]));
  return { ...filters, from: startOfDay(given('from'), 0), to: startOfDay(given('to'), 1) };
}

/**
 * The filters of a list in a row. On a phone, a button with the number of set filters shows and hides them.
 * @param props.filters the values of all filters
 * @param props.more names of the filters in `moreFields`
 * @param props.moreFields filters in a second row that a button shows and hides; on a phone, they follow the others
 */
export function FilterBar(props: {
  filters: Filters;
  more?: readonly string[];
  moreFields?: ReactNode;
  children: ReactNode;
}) {
  const { filters, more = [], moreFields, children } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const countSet = (values: readonly (string | undefined)[]) =>
    values.filter((value) => value !== undefined).length;
  // The two days of a period are one filter.
  const { from, to, ...others } = filters;
  const set = countSet([...Object.values(others), from ?? to]);
  const moreSet = countSet(more.map((name) => filters[name]));
  const [hasMore, showMore] = useDisclosure(moreSet > 0);
  const { filters: label, filtersSet, moreFilters, moreFiltersSet } = texts.conversations;
  return (
    <div className="filters" data-open={isOpen || undefined}>
      <Button
        variant="default"
        size="sm"
        className="filters-button"
        leftSection={<IconFilter size={16} />}
        aria-expanded={isOpen}
        onClick={toggle}
        mb={isOpen ? 'sm' : 0}
      >
        {set === 0 ? label : filtersSet(set)}
      </Button>
      <Group align="start" gap="sm" className="filters-fields">
        {children}
        {moreFields !== undefined && (
          <>
            <Button
              variant="default"
              className="more-filters-button"
              aria-expanded={hasMore}
              onClick={showMore.toggle}
            >
              {moreSet === 0 ? moreFilters : moreFiltersSet(moreSet)}
            </Button>
            <Group align="start" gap="sm" className="more-filters" data-open={hasMore || undefined}>
              {moreFields}
            </Group>
          </>
        )}
      </Group>
    </div>
  );
}

const wholeId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const idLength = 36;

/**
 * A text field for an id. Only a complete id sets the filter. For any other text, the list stays unfiltered, and the
 * field shows how many characters an id has.
 */
export function IdFilter(props: { name: string; label: string } & TextInputProps) {
  const isWhole = (text: string) => wholeId.test(text);
  const missing = (text: string) => texts.common.wholeId(idLength, text.length);
  return <TextFilter {...props} maxLength={idLength + 4} isWhole={isWhole} missing={missing} />;
}

type TextFilterProps = {
  name: string;
  /** Returns false for a text that must not set the filter. Default: every text sets it. */
  isWhole?: (text: string) => boolean;
  /** Returns the field's description while it contains such a text. */
  missing?: (text: string) => string;
} & TextInputProps;

/** A text field that sets a filter 300 ms after the last keystroke. */
export function TextFilter({ name, isWhole = () => true, missing, ...field }: TextFilterProps) {
  const [value, choose] = useFilter(name);
  const [typed, setTyped] = useState({ text: value ?? '', of: value });
  // If a link or the Back button changes the filter, the filter's value replaces the typed text. If the two differ only
  // in spaces at the ends, which the filter does not have, the typed text stays, so that the user can type a space.
  // The typed text also stays while it is too incomplete to set the filter.
  if (typed.of !== value) {
    const text = typed.text.trim();
    const stays = text === value || (value === undefined && text !== '' && !isWhole(text));
    setTyped({ text: stays ? typed.text : (value ?? ''), of: value });
  }
  const isMissing = typed.text.trim() !== '' && !isWhole(typed.text.trim());
  const chooseSoon = useDebouncedCallback(choose, 300);
  return (
    <TextInput
      maxLength={255}
      w={{ base: '100%', xs: 220 }}
      {...field}
      {...(isMissing && { description: missing?.(typed.text.trim()) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={typed.text}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped({ text, of: value });
        const whole = text.trim();
        chooseSoon(isWhole(whole) ? whole : undefined);
      }}
    />
  );
}

/** A date field that sets a filter to a day in the user's time zone. */
export function DayFilter({ name, label }: { name: string; label: string }) {
  const [day, choose] = useFilter(name);
  return (
    <TextInput
      type="date"
      label={label}
      value={day ?? ''}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/**
 * @returns when the day that is `daysLater` days after `day` begins in the user's time zone, as an ISO 8601 string in
 * UTC; undefined if `day` is absent or malformed
 */
function startOfDay(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

/** Converts labels, keyed by value, to the options of a select, in the same order. */
export function choicesOf(labels: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
