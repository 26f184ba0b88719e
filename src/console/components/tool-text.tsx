/** Shows the name and the arguments of a tool call for users who do not program. */
import type { ArgumentSchemas } from '../../contract/conversations/approvals.ts';
import { texts } from '../messages.ts';
import { plainArguments, plainToolName } from './plain-tool.ts';
import { Hint, PlainText } from './text.tsx';

/** Shows a tool by its plain name, with the name by which models call it on hover. */
export function ToolName({ tool }: { tool: string }) {
  return <span title={tool}>{plainToolName(tool)}</span>;
}

/** A longer value has a row of its own. Chosen, so that three short ones fit on one line each beside each other. */
const shortChars = 16;

/**
 * Lists the arguments of a call by their titles or their names in words, with the names themselves on hover; shows a text
 * that is not a JSON object as it is.
 * @param props.label name of the list, or of that text, for screen readers
 * @param props.schemas what the tool's schema says of the arguments
 * @param props.isLarge true for a call that a person decides on
 */
export function ToolArguments(props: {
  json: string;
  label: string;
  schemas?: ArgumentSchemas | undefined;
  isLarge?: boolean;
}) {
  const { json, label, schemas, isLarge = false } = props;
  const listed = plainArguments(json, schemas);
  if (listed === undefined) return <PlainText text={json} label={label} />;
  if (listed.length === 0) return <Hint size="xs">{texts.inspector.noArguments}</Hint>;
  return (
    <div role="group" aria-label={label}>
      <dl className="tool-arguments" data-large={isLarge || undefined}>
        {listed.map(({ name, label: title, value, json: exact }) => (
          <div key={name} className={value.length > shortChars ? 'long-argument' : undefined}>
            <dt title={name}>{title}</dt>
            <dd className="plain-text" title={exact}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
