/** Components for texts, times, links, and lists of values. */
import { Anchor, Badge, Code, Group, Stack, Text, type AnchorProps, type TextProps } from '@mantine/core';
import { Fragment, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Link } from 'wouter';
import { locale } from '../language.ts';
import { texts } from '../messages.ts';
import { briefly, dateText, duration, exactTime, lasted, left } from './format.ts';

/** Secondary text: an explanation, or a less important value. */
export function Hint(props: TextProps & { children: ReactNode; role?: string; id?: string; title?: string }) {
  return <Text size="sm" c="dimmed" {...props} />;
}

/** A small text with its own line breaks, for example an error, or what a person wrote. */
export function Multiline(props: TextProps & { children: ReactNode; role?: string }) {
  return <Text size="sm" className="plain-text" {...props} />;
}

const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const time = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const secondOfYear = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', ...time });
const clock = new Intl.DateTimeFormat(locale, time);
const minute = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/**
 * Shows a date and time, to the minute.
 * @param props.at ISO 8601; for null and undefined, shows "Never"
 * @param props.timeOnly shows the time alone, with its seconds
 * @param props.isExact shows the seconds too, and omits the current year
 */
export function When(props: { at: string | null | undefined; timeOnly?: boolean; isExact?: boolean }) {
  const { at, timeOnly = false, isExact = false } = props;
  if (at == null)
    return (
      <Text span inherit c="dimmed">
        {texts.common.never}
      </Text>
    );
  const date = new Date(at);
  const toSecond = date.getFullYear() === new Date().getFullYear() ? secondOfYear : second;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {(timeOnly ? clock : isExact ? toSecond : short).format(date)}
    </time>
  );
}

/**
 * Shows how long ago a time was, with the exact time on hover. Updates once a minute.
 * @param at ISO 8601; for null and undefined, shows "Never"
 */
export function Ago({ at }: { at: string | null | undefined }) {
  const now = useSyncExternalStore(onMinute, () => Math.floor(Date.now() / minuteMs));
  if (at == null) return <When at={at} />;
  return (
    <time dateTime={at} title={exactTime(at)} key={now}>
      {briefly(at)}
    </time>
  );
}

/** Shows how long something has lasted, with the time of its begin on hover. Updates once a minute. @param at ISO 8601 */
export function Lasted({ at }: { at: string }) {
  const now = useSyncExternalStore(onMinute, () => Math.floor(Date.now() / minuteMs));
  return (
    <time dateTime={at} title={exactTime(at)} key={now}>
      {lasted(at)}
    </time>
  );
}

/** Shows the date of a time, without the current year, with the exact time on hover. @param at ISO 8601 */
export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)} className="short">
      {dateText(at)}
    </time>
  );
}

/** Shows the hour and minute of a time, with the exact time on hover. For a message under the heading of its day. */
export function Minute({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {minute.format(new Date(at))}
    </time>
  );
}

/** Shows the time until a future time, with the exact time on hover. Updates each second. @param at ISO 8601 */
export function Left({ at }: { at: string }) {
  const now = useSyncExternalStore(onSecond, () => Math.floor(Date.now() / 1000));
  return (
    <time dateTime={at} title={exactTime(at)}>
      {left(at, now * 1000)}
    </time>
  );
}

const every = (ms: number) => (changed: () => void) => {
  const timer = setInterval(changed, ms);
  return () => clearInterval(timer);
};
const minuteMs = 60_000;
const onSecond = every(1000);
const onMinute = every(minuteMs / 4);

/** Shows a text from outside Parley without rendering it as HTML. Keyboard users can focus the text to scroll it. */
export function PlainText({ text, label, mah = 320 }: { text: string; label: string; mah?: number }) {
  return (
    <Code
      block
      mah={mah}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text}
    </Code>
  );
}

/**
 * Shows at most two lines of a text in a table's cell, or a dash if there is no text. The cards of narrow screens omit
 * the dash.
 */
export function Brief({ text }: { text: string | null | undefined }) {
  if (text == null) return <Nothing />;
  return (
    <Text size="sm" lineClamp={2} className="preview">
      {text}
    </Text>
  );
}

/** Shows the beginning of a long text without spaces, such as an address, on one line of a table; all of it on hover. */
export function Clipped({ text }: { text: string }) {
  return (
    <span className="clipped" title={text}>
      {text}
    </span>
  );
}

/** Shows a text as `Clipped` does, or a dash if there is no text. */
export function ClippedOrNothing({ text }: { text: string | null | undefined }) {
  return text == null ? <Nothing /> : <Clipped text={text} />;
}

/**
 * Shows a URL, a route or a name without spaces in full. It breaks after `/`, `_`, `.`, `?`, `&` and `=`, and elsewhere
 * only if a part is too long.
 */
export function Breakable({ text }: { text: string }) {
  return (
    <span className="breakable">
      {text.split(/(?<=[/_.?&=])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

/** The dash of a cell without a value. */
export const Nothing = () => <span className="nothing">–</span>;

/**
 * A line that opens and closes its content on click. The content is rendered only while it is open.
 * @param props.isNeeded true opens it, for example because a field inside has an error
 */
export function Fold(props: {
  head: ReactNode;
  tookMs?: number | undefined;
  /** One line below the head while the content is closed. */
  brief?: string | undefined;
  isNeeded?: boolean;
  children: ReactNode;
}) {
  const { head, tookMs, brief, isNeeded = false, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="event"
      open={isOpen || isNeeded}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {head}
        {tookMs !== undefined && (
          <Text span size="xs" c="dimmed">
            {duration(tookMs)}
          </Text>
        )}
        {brief !== undefined && !isOpen && !isNeeded && (
          <Text span size="xs" c="dimmed" truncate className="event-brief">
            {brief}
          </Text>
        )}
      </summary>
      {(isOpen || isNeeded) && (
        <Stack gap="xs" pt="xs">
          {children}
        </Stack>
      )}
    </details>
  );
}

/** Shows a name, followed by a badge with the text `mark`; no badge if `mark` is false. */
export function Marked({ name, mark }: { name: string; mark: string | false }) {
  return (
    <Group gap={8}>
      {name}
      {mark !== false && <Badge color="gray">{mark}</Badge>}
    </Group>
  );
}

/** A small heading above a value. */
export function Label(props: TextProps & { children: ReactNode }) {
  return <Text size="xs" fw={600} {...props} />;
}

/** The line of a `details` element that opens and closes it. */
export function Summary(props: TextProps & { children: ReactNode }) {
  return <Text component="summary" size="sm" {...props} />;
}

/** A link to another page of the console. */
export function TextLink({
  to,
  ...props
}: AnchorProps & { to: string; title?: string; onClick?: () => void; children: ReactNode }) {
  return <Anchor component={Link} href={to} underline="always" size="sm" {...props} />;
}

/** A label with its value; false for one that is not shown. */
export type Fact = readonly [label: string, value: ReactNode] | false;

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts
        .filter((fact) => fact !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
