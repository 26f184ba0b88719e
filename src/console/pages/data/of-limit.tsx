/** A figure with the part of its limit that is used. */
import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countText } from '../../components/format.ts';
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

/** A bar that is full at the limit, and warns from 80% on. */
export function LimitBar({ name, used, limit }: { name: string; used: number; limit: number }) {
  const percent = Math.min(100, limit === 0 ? 100 : (100 * used) / limit);
  return (
    <Progress
      value={percent}
      color={percent < 80 ? 'indigo' : percent < 100 ? 'orange' : 'red'}
      aria-label={name}
    />
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
