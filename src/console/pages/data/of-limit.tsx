/** A figure with the part of its limit that is used. */
import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countText, percentText } from '../../components/format.ts';
import { Info } from '../../components/info.tsx';
import { Tile } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';

const t = texts.data;

export const mebibyte = 1024 * 1024;
export const gibibyte = 1024 * mebibyte;
/** Formats bytes in whole KB or, from 1 MB or 1 GB on, in that unit with one decimal. */
export function inBytes(bytes: number): string {
  if (bytes < mebibyte) return `${countText(Math.ceil(bytes / 1024))} KB`;
  const [unit, size] = bytes < gibibyte ? ['MB', mebibyte] : ['GB', gibibyte];
  return `${(bytes / size).toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`;
}

/** A figure, and how much of its limit that is. */
export function UsedOf(props: { used: number; limit: number | null; format: (value: number) => string }) {
  const { used, limit, format } = props;
  return (
    <>
      {format(used)}
      {limit !== null && (
        <Text span size="sm" c="dimmed">
          {' '}
          {t.ofLimit(format(limit))}
        </Text>
      )}
    </>
  );
}

/** The part of a limit that is used: from 0 to 1. */
const partOf = (used: number, limit: number): number => (limit === 0 ? 1 : Math.min(1, used / limit));

/** The part of a limit from which on a warning is shown, as in src/domain/data/judge-health.ts. */
const nearlyReached = 0.8;

/** A bar that is full at the limit, and warns from 80% on. */
export function LimitBar({ name, used, limit }: { name: string; used: number; limit: number }) {
  const part = partOf(used, limit);
  return (
    <Progress
      value={100 * part}
      color={part < nearlyReached ? 'indigo' : part < 1 ? 'orange' : 'red'}
      aria-label={name}
    />
  );
}

/**
 * A sentence that warns of a limit from 80% on. Renders nothing below.
 * @param props.near returns the sentence for the used share, for example `92%`
 * @param props.full the sentence once the limit is reached
 */
export function LimitWarning(props: {
  used: number;
  limit: number;
  near: (share: string) => string;
  full: string;
}) {
  const part = partOf(props.used, props.limit);
  if (part < nearlyReached) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)">
      {part < 1 ? props.near(percentText(part)) : props.full}
    </Text>
  );
}

/** The name of a figure, with a mark beside it that shows an explanation. */
export function Named({ name, info }: { name: string; info?: string | undefined }) {
  if (info === undefined) return name;
  return (
    <>
      {name} <Info text={info} />
    </>
  );
}

/** Shows how much is used, and how much of the limit that is. @param props.children shown below, for example a note */
export function OfLimit(props: {
  name: string;
  /** Explains the name, behind a mark beside it. */
  info?: string | undefined;
  used: number;
  limit: number | null;
  format: (value: number) => string;
  children?: ReactNode;
}) {
  const { name, info, used, limit, children } = props;
  return (
    <Tile label={<Named {...{ name, info }} />} figure={<UsedOf {...props} />}>
      <div className="of-limit">
        {limit === null ? <Hint size="xs">{t.none}</Hint> : <LimitBar {...{ name, used, limit }} />}
      </div>
      {children}
    </Tile>
  );
}
