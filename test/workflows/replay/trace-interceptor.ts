/**
 * Bundled with the workflows for replays alone: reports to the test each command that the code of today issues, and
 * what an operator would read at that point.
 */
import {
  getCurrentDetails,
  proxySinks,
  type ConcludeActivationInput,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { getActivator } from '@temporalio/workflow/lib/global-attributes.js';
import type { TraceSinks } from './trace-sinks.ts';

const { trace } = proxySinks<TraceSinks>();

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [],
  outbound: [],
  internals: [
    {
      concludeActivation(input: ConcludeActivationInput, next) {
        const output = next(input);
        for (const command of output.commands) trace.line({ command });
        trace.line({ details: getCurrentDetails() });
        for (const [name, query] of getActivator().queryHandlers) {
          if (!name.startsWith('__')) trace.line({ query: name, answer: query.handler() });
        }
        return output;
      },
    },
  ],
});
