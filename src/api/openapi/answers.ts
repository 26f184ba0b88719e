/** Builds the parts that operations in the OpenAPI document share: JSON schemas, and responses for error codes. */
import { z } from 'zod';
import { openAiErrorOf, openAiStatusOf } from '../../contract/conversations/openai-error.ts';
import { errorTable, type ErrorCode } from '../../contract/error-table.ts';
import { PublicError } from '../../contract/errors.ts';
import { isObject, plainSchema, type Json } from './plain-schema.ts';

interface ErrorForm {
  schema: string;
  statusOf: (code: ErrorCode) => number;
  exampleOf: (code: ErrorCode) => object;
}

const parleyForm: ErrorForm = {
  schema: 'ErrorBody',
  statusOf: (code) => errorTable[code][0],
  exampleOf: (code) => ({ error: errorTable[code][1], code }),
};
const openAiForm: ErrorForm = {
  schema: 'OpenAiError',
  statusOf: openAiStatusOf,
  exampleOf: (code) => openAiErrorOf(new PublicError(code)),
};

/**
 * Returns the OpenAPI responses for error codes, one per status.
 */
export function errorAnswers(codes: ErrorCode[], errorForm?: 'openai'): Json {
  const { schema, statusOf, exampleOf } = errorForm === 'openai' ? openAiForm : parleyForm;
  const byStatus = Map.groupBy(new Set(codes), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${errorTable[code][1]}`).join(' · '),
        ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schema}` },
            examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      },
    ]),
  );
}

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };

/**
 * Converts a zod schema to JSON Schema in the form that client generators read.
 * @param io `input` for values that callers send, before defaults apply; `output` for values that callers receive
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any', override });
  const plain = plainSchema(json);
  return isObject(plain) ? plain : {};
}

function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  // The id of a schema becomes the name of a component. In the schema itself, generators would read `id` as a URL.
  delete jsonSchema['id'];
  // Allows fields that a later version adds to a response. Strict objects still refuse unknown fields.
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema['additionalProperties'];
}
