/** The interface between the comparison and an engine. */
import type { Choice } from './count.ts';

/** The facts of a case that a person sees. */
export type Shown =
  | { state: 'waiting'; amount: number }
  /** The engine works on it, or has not begun. */
  | { state: 'working' }
  | { state: 'ended'; end: string }
  /** The engine does not know the case. */
  | { state: 'gone' };

export interface Engine {
  /** Its name and versions. */
  name: string;
  /** Milliseconds after which a suspended case is on disk. 0: it is when it is shown. */
  storesWithinMs: number;
  /** Starts it, also after `kill`, on the same data. */
  start: () => Promise<void>;
  /** SIGKILL of the processes that run the job, not of a database beside them. */
  kill: () => Promise<void>;
  /** Ends all that it has started, and removes its data. */
  stop: () => Promise<void>;
  /** Begins a case. @param id a UUID */
  begin: (id: string) => Promise<void>;
  show: (id: string) => Promise<Shown>;
  /** @returns false if the engine refuses the decision. Rejects if the connection breaks */
  decide: (id: string, choice: Choice) => Promise<boolean>;
}

/** The model that proposes, and the tool. Both are one HTTP server. */
export interface Harness {
  url: string;
  /** Adds an amount that no case had before: a model that is asked again proposes something else. */
  nextAmount: () => number;
}
