/** Renders the Markdown in a text of a model. HTML in the text stays text, and links are only to http and https. */
import { Anchor, Code } from '@mantine/core';
import { useMemo } from 'react';
import { isPlain, readBlocks, type Block, type Inline } from './markdown.ts';

export function RichText({ text }: { text: string }) {
  const blocks = useMemo(() => readBlocks(text), [text]);
  if (isPlain(blocks)) return <div className="plain-text">{text}</div>;
  return (
    <div className="rich-text">
      {blocks.map((block, index) => (
        <Shown key={index} block={block} />
      ))}
    </div>
  );
}

function Shown({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Parts parts={block.parts} />
        </p>
      );
    // Renders bold text instead of a heading element, so that the text adds no headings to those of the page.
    case 'heading':
      return (
        <p>
          <strong>
            <Parts parts={block.parts} />
          </strong>
        </p>
      );
    case 'code':
      return <Code block>{block.text}</Code>;
    case 'list': {
      const items = block.items.map((parts, index) => (
        <li key={index}>
          <Parts parts={parts} />
        </li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function Parts({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'bold':
        return <strong key={index}>{part.text}</strong>;
      case 'italic':
        return <em key={index}>{part.text}</em>;
      case 'code':
        return <Code key={index}>{part.text}</Code>;
      case 'link':
        return (
          <Anchor
            key={index}
            href={part.url}
            target="_blank"
            rel="noopener noreferrer"
            inherit
            underline="always"
          >
            {part.text}
          </Anchor>
        );
    }
  });
}
