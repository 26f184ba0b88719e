/** Renders the Markdown in a text of a model. HTML in the text stays text, and links are only to http and https. */
import { Anchor, Code } from '@mantine/core';
import { useMemo } from 'react';
import { highlight, isPlain, readBlocks, type Block, type Inline } from './markdown.ts';

/** @param props.differs the part of `shownText` that is highlighted, from and up to a place; if empty, none */
export function RichText(props: { text: string; differs?: readonly [number, number] | undefined }) {
  const { text, differs: [from, to] = [0, 0] } = props;
  const blocks = useMemo(() => highlight(readBlocks(text), [from, to]), [text, from, to]);
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
      return (
        <Code block>
          <Parts parts={block.parts} />
        </Code>
      );
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
  return parts.map((part, index) =>
    part.isHighlighted === true ? (
      <mark key={index} className="differs">
        <Part part={part} />
      </mark>
    ) : (
      <Part key={index} part={part} />
    ),
  );
}

function Part({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'bold':
      return <strong>{part.text}</strong>;
    case 'italic':
      return <em>{part.text}</em>;
    case 'code':
      return <Code>{part.text}</Code>;
    case 'link':
      return (
        <Anchor href={part.url} target="_blank" rel="noopener noreferrer" inherit underline="always">
          {part.text}
        </Anchor>
      );
  }
}
