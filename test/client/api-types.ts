/** The types of @parley/client, out of the OpenAPI document. */
import { resolve } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../../src/api/openapi/openapi.ts';
import { projectRoot } from '../../src/local/project-root.ts';

export const apiTypesFile = resolve(projectRoot, 'src/client/api.ts');

const head = `// Written by \`npm run client:generate\` from the OpenAPI document. Do not change it by hand.
`;
/** No schema stays within another one. */
const unused = 'export type $defs = Record<string, never>;';

export async function writeApiTypes(): Promise<string> {
  const document = readable(withOwnWebhooks(openApiDocument(''))) as OpenAPI3;
  // A request may leave out what has a default.
  const types = await openapiTS(document, { defaultNonNullable: false });
  const options = await resolveConfig(apiTypesFile);
  return await format(head + astToString(types).replace(unused, ''), { ...options, filepath: apiTypesFile });
}

/** The generator does not follow a webhook's reference. */
function withOwnWebhooks(document: Record<string, unknown>): unknown {
  const { webhooks, components } = document as {
    webhooks: Record<string, { $ref: string }>;
    components: { pathItems: Record<string, unknown> };
  };
  const own = Object.entries(webhooks).map(
    ([event, { $ref }]) =>
      [event, components.pathItems[$ref.replace('#/components/pathItems/', '')]] as const,
  );
  return {
    ...document,
    components: { ...components, pathItems: undefined },
    webhooks: Object.fromEntries(own),
  };
}

/** JSON text within JSON, as the data of an event is: the client reads it, so its type is that of what it holds. */
function readable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(readable);
  if (typeof node !== 'object' || node === null) return node;
  if ('contentSchema' in node) return readable(node.contentSchema);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, readable(value)]));
}
