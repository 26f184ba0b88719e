/** `npm run parley -- …`: runs one command with the environment and the terminal of this process. */
import { runCommand } from './program.ts';

const { env, stdout, stderr } = process;
process.exitCode = await runCommand(process.argv.slice(2), { env, stdout, stderr });
