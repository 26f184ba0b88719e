/** Reads and writes the rows of a table whose rows belong to organizations, such as MCP servers. */
import { v7 as newId } from 'uuid';
import type { z } from 'zod';
import {
  firstRow,
  firstRowOf,
  orConflict,
  rowOf,
  rowsOf,
  type Database,
  type Transaction,
} from './database.ts';

interface RowKey {
  id: string;
  organization_id: string;
}

/**
 * Returns the queries on a table with the columns `id`, a UUID, and `organization_id`. Each query reads and changes
 * only rows of the organization that it names.
 * @param row the schema with which the queries parse the rows that they return
 */
export function organizationTable<Row extends RowKey>(name: string, row: z.ZodType<Row>) {
  return {
    /** Returns a function that lists the rows of an organization. @param order SQL expression that orders them */
    list:
      (order: string) =>
      async (db: Database, organizationId: string): Promise<Row[]> =>
        await rowsOf(row, db.knex(name).where({ organization_id: organizationId }).orderByRaw(order)),

    /** @returns the row; undefined if the organization has no such row */
    find: async (db: Database, organizationId: string, id: string): Promise<Row | undefined> =>
      await rowOf(row, db.knex(name).where({ id, organization_id: organizationId }).first()),

    /** Locks a row until the transaction ends. @returns the row; undefined if the organization has no such row */
    lock: async (tx: Transaction, organizationId: string, id: string): Promise<Row | undefined> =>
      await rowOf(row, tx.knex(name).where({ id, organization_id: organizationId }).forUpdate().first()),

    /**
     * Stores a new row.
     * @param columnsOf returns the other columns for the ids of the new row, to which a secret in it is bound
     * @param constraint name of the unique index that a name which is taken violates
     * @throws PublicError conflict if the row violates the constraint
     */
    insert: async (
      db: Database,
      organizationId: string,
      columnsOf: (key: RowKey) => Partial<Row>,
      constraint: string,
    ): Promise<Row> => {
      const key = { id: newId(), organization_id: organizationId };
      const added = { ...key, ...columnsOf(key) };
      return firstRow(
        await orConflict(constraint, () => rowsOf(row, db.knex(name).insert(added).returning('*'))),
      );
    },

    /** Changes columns, and sets `updated_at`. @returns the new row; undefined if the organization has no such row */
    update: async (
      db: Database,
      { id, organization_id }: RowKey,
      change: Partial<Row>,
    ): Promise<Row | undefined> => {
      const changed = { ...change, updated_at: new Date() };
      return await firstRowOf(
        row,
        db.knex(name).where({ id, organization_id }).update(changed).returning('*'),
      );
    },

    /** Deletes a row. Idempotent. */
    delete: async (db: Database, { id, organization_id }: RowKey): Promise<void> => {
      await db.knex(name).where({ id, organization_id }).delete();
    },
  };
}
