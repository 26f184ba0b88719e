/** Reads a stranger's file of agents in a bounded thread. */
import { z } from 'zod';
import {
  AgentsFileProblem,
  type AgentsFile,
  type AgentsFileForm,
} from '../../contract/conversations/agents-file.ts';
import { inBoundedThread, TooComplex } from '../in-bounded-thread.ts';

const answered = z.union([
  // The thread has validated it.
  z.object({ file: z.custom<AgentsFile>((file) => typeof file === 'object') }),
  z.object({ problem: z.string() }),
]);

/**
 * @throws AgentsFileProblem if the file is invalid, names more than 1,000 agents or takes too long; PublicError
 * rate_limited if too many others wait
 */
export async function readAgentsFile(organizationId: string, form: AgentsFileForm): Promise<AgentsFile> {
  const answer = answered.parse(await readInThread(organizationId, form));
  if ('problem' in answer) throw new AgentsFileProblem(answer.problem);
  return answer.file;
}

async function readInThread(organizationId: string, form: AgentsFileForm): Promise<unknown> {
  try {
    return await inBoundedThread(organizationId, new URL('./agents-file-thread.ts', import.meta.url), form);
  } catch (cause) {
    if (!(cause instanceof TooComplex)) throw cause;
    throw new AgentsFileProblem('The file is too large or too complex.', { cause });
  }
}
