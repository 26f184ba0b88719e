/** Figures that lead to what they count. */
import { Link } from 'wouter';
import { useMayOpen } from '../shell/may-open.ts';
import { countText } from './format.ts';

/** @param props.isUnderlined true for what a reader most likely wants to open, such as failures */
export function FigureLink(props: { to: string; label?: string; value: string; isUnderlined?: boolean }) {
  const { to, label, value, isUnderlined } = props;
  return (
    <Link href={to} className="figure-link" data-underlined={isUnderlined} aria-label={label}>
      {value}
    </Link>
  );
}

/**
 * Shows a count for an agent, with a link to its conversations unless the count is 0 or the user may not open them.
 * @param props.value the text to show; by default, the count
 */
export function AgentFigure(props: { of: string; count: number; only?: string; value?: string }) {
  const { of, count, only, value = countText(count) } = props;
  const mayOpen = useMayOpen();
  if (count === 0 || !mayOpen('/conversations')) return value;
  const filter = only === undefined ? '' : `&only=${only}`;
  const path = `/conversations?status=all&agent_id=${of}${filter}`;
  return <FigureLink to={path} value={value} isUnderlined={only === 'failed'} />;
}
