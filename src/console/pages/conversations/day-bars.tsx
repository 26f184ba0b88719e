/** A small chart: one bar for each day, of what was delivered and what was not. */
import { countText } from '../../components/format.ts';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';

const height = 24;
const barWidth = 7;
const step = 10;
const dayName = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface Day {
  /** YYYY-MM-DD in UTC. */
  day: string;
  attempts: number;
  delivered: number;
}

/** @param props.label what the bars count. Screen readers read it with the figures of each day that has any */
export function DayBars({ days, label }: { days: readonly Day[]; label: string }) {
  const most = Math.max(1, ...days.map(({ attempts }) => attempts));
  const read = days
    .filter(({ attempts }) => attempts > 0)
    .map(
      ({ day, attempts, delivered }) =>
        `${dayName.format(new Date(day))}: ${texts.webhooks.delivered(countText(delivered), countText(attempts))}`,
    );
  const name = `${label}. ${read.join('; ')}`;
  return (
    <svg className="day-bars" width={days.length * step} height={height} role="img" aria-label={name}>
      <title>{read.join('\n')}</title>
      {days.map(({ day, attempts, delivered }, index) => {
        // A day with a single callback among many still shows a bar.
        const tall = attempts === 0 ? 2 : Math.max(4, (attempts / most) * height);
        const good = attempts === 0 ? 0 : (delivered / attempts) * tall;
        const place = { x: index * step, width: barWidth };
        return (
          <g key={day}>
            <rect
              {...place}
              y={height - tall}
              height={tall - good}
              data-kind={attempts === 0 ? 'none' : 'fault'}
            />
            <rect {...place} y={height - good} height={good} data-kind="good" />
          </g>
        );
      })}
    </svg>
  );
}
