/** Parses one file of agents in a thread. read-agents-file.ts starts the thread, with limits on its time and memory. */
import { workerData } from 'node:worker_threads';
import { AgentsFileProblem, agentsFileForm } from '../../contract/conversations/agents-file.ts';
import { answerWith } from '../answer-of-thread.ts';
import { parseAgentsFile } from './parse-agents-file.ts';

const maxAgents = 1000;
/**
 * Maximum characters of the parsed file as JSON. Aliases can make the JSON far larger than the file. Chosen: twice the
 * maximum of a file.
 */
const maxChars = 2_000_000;

answerWith(() => {
  try {
    const file = parseAgentsFile(agentsFileForm.parse(workerData).yaml, maxAgents);
    if (JSON.stringify(file).length > maxChars)
      throw new AgentsFileProblem('Its aliases make the file too large.');
    return { file };
  } catch (error) {
    if (!(error instanceof AgentsFileProblem)) throw error;
    return { problem: error.message };
  }
});
