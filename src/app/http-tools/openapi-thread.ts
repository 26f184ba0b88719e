/** Entry point of the thread in which read-openapi.ts reads one OpenAPI document, with limited time and memory. */
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
