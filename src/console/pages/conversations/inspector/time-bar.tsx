import { Text } from '@mantine/core';
import type { RunDetail, TimePart } from '../../../../contract/conversations/run-detail.ts';
import { duration } from '../../../components/format.ts';
import { texts } from '../../../messages.ts';

const t = texts.inspector;
const colors: Readonly<Record<TimePart, string>> = {
  grouping: '#868e96',
  queue: '#f08c00',
  model: '#5c7cfa',
  retries: '#e03131',
  tools: '#0ca678',
  other: '#adb5bd',
  delivery: '#ae3ec9',
};

/** Shows how long each part of a run took, as a stacked bar and as figures. Renders nothing while the total is 0 ms. */
export function TimeBar({ run }: { run: RunDetail }) {
  const { times, total_ms, finished_at } = run;
  if (total_ms === 0) return null;
  const total = `${duration(total_ms)}${finished_at === null ? ` ${t.soFar}` : ''}`;
  return (
    <section className="inspector-part" aria-label={t.times}>
      <div className="inspector-head">
        <h3>{t.times}</h3>
        <Text span size="sm" fw={600}>
          {total}
        </Text>
      </div>
      <div className="time-bar" aria-hidden>
        {times.map(({ part, ms }) => (
          <span
            key={part}
            style={{ flexGrow: ms, background: colors[part] }}
            title={`${t.parts[part]}: ${duration(ms)}`}
          />
        ))}
      </div>
      <dl className="time-parts">
        {times.map(({ part, ms }) => (
          <div key={part} title={t.partHelp[part]}>
            <dt>
              <span className="time-mark" style={{ background: colors[part] }} aria-hidden />
              {t.parts[part]}
            </dt>
            <dd>{duration(ms)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
