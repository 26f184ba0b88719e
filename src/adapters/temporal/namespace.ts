/** Creates Parley's Temporal namespace and its search attributes. */
import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { searchAttributeNames } from '../../contract/workflows.ts';

const grpcAlreadyExists = 6;
const keyword = 2;
/**
 * Maximum wait until the namespace has the search attributes. The services of a Temporal cluster see a new namespace
 * only after some seconds. Chosen.
 */
const patienceMs = 90_000;

/**
 * Creates the namespace and its search attributes. Idempotent. Does not work in Temporal Cloud: create the namespace
 * there with its console or `tcld`.
 * @param retentionDays days for which Temporal stores the histories of ended workflows; applies only to a new namespace
 * @throws Temporal's error if the namespace cannot be registered; the last error if the namespace does not have the
 * search attributes within `patienceMs`
 */
export async function prepareNamespace(
  connection: Connection,
  namespace: string,
  retentionDays: number,
): Promise<void> {
  await connection.workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retentionDays * 86_400_000) })
    .catch((error: unknown) => {
      const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
      if (code !== grpcAlreadyExists) throw error;
    });
  const end = Date.now() + patienceMs;
  let requested = false;
  let last: unknown = new Error(`The namespace ${namespace} does not know the search attributes.`);
  while (Date.now() < end) {
    try {
      const missing = await missingAttributes(connection, namespace);
      if (missing.length === 0) return;
      if (!requested) {
        const searchAttributes = Object.fromEntries(missing.map((name) => [name, keyword]));
        await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
        requested = true;
        continue;
      }
    } catch (error) {
      last = error;
    }
    await delay(100);
  }
  throw last;
}

async function missingAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return searchAttributeNames.filter((name) => !(name in customAttributes));
}
