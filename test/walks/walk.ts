/** What a walk is, and how it is judged. */
import type { RunningFile } from '../../src/local/running-file.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { LocalCopy } from '../support/local-copy.ts';
import { personSeconds, type Walker } from './walker.ts';

export type Start = {
  walker: Walker;
  /** The `npm start` that serves the console. */
  copy: LocalCopy;
  running: RunningFile;
  /** Calls of the API with the token that `npm start` prints. */
  api: ApiClient;
};

export type Walk = {
  /** Names its folder of pictures. */
  name: string;
  who: string;
  goal: string;
  /** Width of the window; 1280 px by default. */
  width?: number;
  /** Seconds at a person's pace, and clicks. */
  max: { seconds: number; clicks: number };
  /**
   * Plays the person to the goal.
   * @param begin runs `npm start` in an empty folder with these settings, and opens the console: the first screen
   * @throws if something is not on the screen
   */
  play: (begin: (settings?: Record<string, string>) => Promise<Start>) => Promise<void>;
};

export type Outcome = {
  walk: Walk;
  walker: Pick<Walker, 'seconds' | 'effort'>;
};

/**
 * Returns the seconds of a person: the estimate of what they do, and all seconds of the script, as if it only waited
 * for the product.
 */
export function paceOf({ walker }: Outcome): number {
  return personSeconds(walker.effort) + walker.seconds;
}

/** Returns a sentence for each maximum that is broken. */
export function brokenMaxima(outcome: Outcome): string[] {
  const { walk, walker } = outcome;
  const seconds = Math.round(paceOf(outcome));
  const { clicks } = walker.effort;
  return [
    seconds > walk.max.seconds ? `${walk.name}: ${seconds} s instead of at most ${walk.max.seconds} s` : '',
    clicks > walk.max.clicks ? `${walk.name}: ${clicks} clicks instead of at most ${walk.max.clicks}` : '',
  ].filter((broken) => broken !== '');
}

/** Signs in with what `npm start` printed. */
export async function signIn({ walker, running }: Start): Promise<void> {
  const { page } = walker;
  await walker.see('sign-in', page.getByRole('button', { name: 'Sign in' }));
  await walker.paste(page.getByLabel('Email'), running.console.email);
  await walker.paste(page.getByLabel('Password', { exact: true }), running.console.password);
  await walker.button('Sign in');
  await walker.see('overview', page.getByRole('heading', { level: 1, name: 'Overview' }));
}
