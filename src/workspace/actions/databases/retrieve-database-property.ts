import { z } from 'zod';
import { maxText, workspaceId } from '../../../contract/workspace/actions.ts';
import { readSchema } from '../../data-source.ts';
import { composed } from '../../blocks/composed.ts';
import { decoded } from '../../decoded.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';

export const retrieveDatabaseProperty = defineAction({
  id: 'DOCS_RETRIEVE_DATABASE_PROPERTY',
  summary: "Reads one property of a database's schema.",
  effect: 'read',
  input: z.strictObject({
    database_id: workspaceId('The database.'),
    property_id: z
      .string()
      .max(maxText.name)
      .min(1)
      .describe('The property id or its case-sensitive name; URL-encoded values are understood.'),
  }),
  example: { database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', property_id: 'Status' },
  run: async (context, { database_id, property_id }) => {
    const { dataSource } = await readSchema(context, database_id);
    const all = Object.values(dataSource.properties);
    const found =
      all.find(({ id }) => id === property_id) ??
      all.find(({ name }) => name === property_id) ??
      all.find(({ id, name }) => decoded(id) === decoded(property_id) || name === decoded(property_id)) ??
      all.find(({ name }) => composed(name) === composed(decoded(property_id)));
    if (found === undefined) {
      throw invalidInput(
        `property_id is ${JSON.stringify(property_id)}, which is no property of this database; names are case-sensitive. Properties: ${all.map(({ name, id }) => `${name} (${id})`).join(', ')}`,
      );
    }
    return { ...found, data_source_id: dataSource.id };
  },
});
