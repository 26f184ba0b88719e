/**
 * Thrown if local mode cannot start. The message is for the person at the terminal, and is printed without a stack
 * trace.
 */
export class StartProblem extends Error {
  override name = 'StartProblem';
}
