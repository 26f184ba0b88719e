/** The reference of the actions for people, made from the registry. */
import { format, resolveConfig } from 'prettier';
import { textsOf } from '../../../../src/console/components/workspace-presets.ts';
import { workspaceActionTexts } from '../../../../src/console/messages/workspace-actions.ts';
import type { Action } from '../../../../src/workspace/define-action.ts';
import type { Effect } from '../../../../src/workspace/effects.ts';
import { actions } from '../../../../src/workspace/registry.ts';

type Schema = {
  type?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  description?: string;
};

const effects: Record<Effect, string> = {
  read: 'Reads. Retried after any failure.',
  idempotent_write: 'Writes a final state. Retried after any failure.',
  create:
    'Creates. Retried only if nothing was written; after a lost response, the object is looked up first.',
  send_part: 'Sends a file. After a lost response, the state of the upload decides.',
  generated_create: 'Calls the model, records its plan, then creates like the creating actions.',
  multi_step: 'Several steps, each recorded. A retry continues after the last recorded step.',
};

const largest = 9_007_199_254_740_991;

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  return schema.type ?? 'any';
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minItems, maxItems, maxLength } = schema;
  return [
    ...(minimum !== undefined && minimum > -largest ? [`at least ${minimum}`] : []),
    ...(maximum !== undefined && maximum < largest ? [`at most ${maximum}`] : []),
    ...(minItems !== undefined ? [`at least ${minItems} items`] : []),
    ...(maxItems !== undefined ? [`at most ${maxItems} items`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(action: Action): string[] {
  const { properties = {}, required = [] } = action.inputSchema as Schema;
  const names = Object.entries(properties);
  if (names.length === 0) return ['No parameters.'];
  const aliases = Map.groupBy(Object.entries(action.aliases), ([, name]) => name);
  const rows = names.map(([name, schema]) => {
    const also = (aliases.get(name) ?? []).map(([alias]) => `\`${alias}\``).join(', ');
    const limits = limitsOf(schema).join(', ');
    const rule = [
      (schema.description ?? '').replace(/\.$/, ''),
      limits === '' ? '' : `(${limits})`,
      also === '' ? '' : `Also: ${also}`,
    ]
      .filter((part) => part !== '')
      .join(' ');
    return `| \`${name}\` | ${typeOf(schema)} | ${required.includes(name) ? 'yes' : ''} | ${cell(rule)} |`;
  });
  return ['| Name | Type | Required | Rule |', '|---|---|---|---|', ...rows];
}

/** Its plain name in the console, and the preset that contains it. */
function inConsole(id: string): string {
  const { name, preset, why } = textsOf(id)!;
  const { presets } = workspaceActionTexts.workspaceActions;
  return `In the console: **${name}**, ${preset === 'none' ? `in no preset. ${why}` : `in the preset ${presets[preset].name}.`}`;
}

function section(action: Action): string {
  const { id, summary, effect, rules, example, deprecated } = action;
  return [
    `## ${id}`,
    '',
    `${deprecated === undefined ? '' : `Deprecated: use ${deprecated.use}. `}${summary}`,
    '',
    effects[effect],
    '',
    inConsole(id),
    '',
    ...table(action),
    '',
    ...(rules.length === 0 ? [] : [...rules.map((rule) => `- ${rule}`), '']),
    '```json',
    JSON.stringify(example),
    '```',
  ].join('\n');
}

const heading = `# Document-workspace actions

Made from the registry by \`npm run generate:actions\`; do not edit. Every action answers
\`{ "data": string, "error"?: string, "successful": boolean }\`; \`data\` is JSON as text. Ids are UUIDs with or without
hyphens, or addresses. Structures may come as JSON text.`;

/** Returns the page as the formatter of this repository writes it. */
export async function actionsReference(file: string): Promise<string> {
  const text = [heading, ...actions.map(section)].join('\n\n');
  return await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
}
