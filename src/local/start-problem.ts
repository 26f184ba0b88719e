/** What keeps the local mode from starting, in words for the person at the terminal: shown without a stack. */
export class StartProblem extends Error {
  override name = 'StartProblem';
}
