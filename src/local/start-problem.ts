/**
 * An error that prevents local mode from starting. Its message is for the person at the terminal and is shown without
 * a stack trace.
 */
export class StartProblem extends Error {
  override name = 'StartProblem';
}
