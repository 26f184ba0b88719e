/** Shows JSON with syntax colours, and any other text unchanged. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../messages.ts';
import { indented } from './format.ts';
import { Coloured } from './coloured.tsx';
import { jsonTokens } from './json-tokens.ts';

const t = texts.common;
/** A longer text shows its beginning and a button that shows all of it. Chosen: 16 lines fit beside their explanation. */
const maxLines = 18;
const shownLines = 16;
const maxChars = 2000;

/**
 * Shows a text from outside Parley, without rendering it as HTML. JSON is indented.
 * @param props.label name of the text for screen readers
 */
export function JsonText({ text, label }: { text: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = indented(text);
  const lines = shown.split('\n');
  const isLong = lines.length > maxLines || shown.length > maxChars;
  const isCut = isLong && !isWhole;
  const part = isCut ? lines.slice(0, shownLines).join('\n').slice(0, maxChars) : shown;
  return (
    <div>
      <pre className="json-text" role="region" aria-label={label} data-cut={isCut || undefined}>
        {/^\s*[[{]/.test(text) ? <Coloured text={part} tokens={jsonTokens(part)} /> : part}
      </pre>
      {isLong && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(isCut)} aria-expanded={isWhole}>
          {isCut ? t.showAll : t.showLess}
        </Button>
      )}
    </div>
  );
}
