/** The thread that reads one OpenAPI document; read-openapi.ts starts and bounds it. */
import { parentPort, workerData } from 'node:worker_threads';
import { readOpenapi } from '../../contract/http-tools/http-tools.ts';
import { OpenapiProblem, readOperations } from './openapi-operations.ts';

try {
  parentPort?.postMessage({ operations: readOperations(readOpenapi.parse(workerData)) });
} catch (error) {
  if (!(error instanceof OpenapiProblem)) throw error;
  parentPort?.postMessage({ problem: error.message, field: error.field });
}
