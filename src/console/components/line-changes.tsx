/** Shows the lines of two texts as one text, with removed and added lines marked and long unchanged parts left out. */
import { useMemo } from 'react';
import { texts } from '../messages.ts';
import { diffLines, shortened } from './line-diff.ts';

/** @param props.label the region's name for screen readers */
export function LineChanges({ before, after, label }: { before: string; after: string; label: string }) {
  const parts = useMemo(() => shortened(diffLines(before, after)), [before, after]);
  return (
    <div className="diff" role="region" aria-label={label} tabIndex={0}>
      {parts.map((part, index) => {
        if (part.kind === 'gap') return <div key={index}>{texts.versions.gap(part.lines)}</div>;
        if (part.kind === 'same') return <span key={index}>{part.text}</span>;
        return part.kind === 'removed' ? (
          <del key={index}>{part.text}</del>
        ) : (
          <ins key={index}>{part.text}</ins>
        );
      })}
    </div>
  );
}
