/** Reads one OpenAPI document, in the thread that read-openapi.ts starts and whose time and memory it limits. */
import { workerData } from 'node:worker_threads';
import { readOpenapi } from '../../contract/http-tools/http-tools.ts';
import { answerWith } from '../answer-of-thread.ts';
import { OpenapiProblem, readOperations } from './openapi-operations.ts';

answerWith(() => {
  try {
    return { operations: readOperations(readOpenapi.parse(workerData)) };
  } catch (error) {
    if (!(error instanceof OpenapiProblem)) throw error;
    return { problem: error.message, field: error.field };
  }
});
