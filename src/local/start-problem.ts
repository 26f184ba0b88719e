/**
 * An error that prevents local mode from starting, with a message for the person at the terminal; shown without a
 * stack.
 */
export class StartProblem extends Error {
  override name = 'StartProblem';
}
