import { v7 as newId } from 'uuid';
import type { Database } from './database.ts';

export interface Organization {
  id: string;
  name: string;
  created_at: Date;
}

export async function createOrganization(db: Database, name: string): Promise<Organization> {
  const [row] = await db.knex<Organization>('organizations').insert({ id: newId(), name }).returning('*');
  if (row === undefined) throw new Error('insert returned no row');
  return row;
}

export async function listOrganizations(db: Database): Promise<Organization[]> {
  return await db.knex<Organization>('organizations').select('*').orderBy('id');
}

export async function findOrganization(db: Database, id: string): Promise<Organization | undefined> {
  return await db.knex<Organization>('organizations').where({ id }).first();
}
