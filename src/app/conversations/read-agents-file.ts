/** Reads an uploaded file of agents in a bounded thread. */
import { z } from 'zod';
import {
  AgentsFileProblem,
  type AgentsFile,
  type AgentsFileForm,
} from '../../contract/conversations/agents-file.ts';
import { inBoundedThread } from '../in-bounded-thread.ts';

const answered = z.union([
  // The thread has already validated the file.
  z.object({ file: z.custom<AgentsFile>((file) => typeof file === 'object') }),
  z.object({ problem: z.string() }),
]);

/**
 * Parses a file of agents in a thread.
 * @throws AgentsFileProblem if the file is invalid, has too many agents, or takes too long or too much memory;
 * PublicError rate_limited if too many calls of the organization wait for a thread, or this call waits too long
 */
export async function readAgentsFile(organizationId: string, form: AgentsFileForm): Promise<AgentsFile> {
  const file = new URL('./agents-file-thread.ts', import.meta.url);
  const answer = answered.parse(
    await inBoundedThread(
      organizationId,
      file,
      form,
      (cause) => new AgentsFileProblem('The file is too large or too complex.', { cause }),
    ),
  );
  if ('problem' in answer) throw new AgentsFileProblem(answer.problem);
  return answer.file;
}
