import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { readDatabase } from '../../read-database.ts';
import { defineAction } from '../../define-action.ts';

export const fetchDatabase = defineAction({
  id: 'DOCS_FETCH_DATABASE',
  summary: "Reads a database's structure: its data sources and their properties, not its entries.",
  effect: 'read',
  input: z.strictObject({ database_id: workspaceId('A database, not a page.') }),
  example: { database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async (context, { database_id }) => {
    const { database, dataSources, left } = await readDatabase(context, database_id);
    const [first, second] = dataSources;
    return {
      ...database,
      data_sources: dataSources.map(({ id, name, properties }) => ({ id, name, properties })),
      data_source_count: dataSources.length + left,
      ...(first !== undefined && second === undefined ? { properties: first.properties } : {}),
    };
  },
});
