/** Child processes of the harness, and the messages that they send. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

const words = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    modelUrl: z.string(),
    names: z.string(),
    docsUrl: z.string(),
    docsToken: z.string(),
    docsPage: z.string(),
  }),
  z.object({ type: z.literal('prepared') }),
  /** A model is asked what shall take its worker with it. */
  z.object({ type: z.literal('deadly') }),
  z.object({
    type: z.literal('over'),
    answers: z.record(z.string(), z.number()),
    error: z.string().optional(),
  }),
]);
type Word = z.output<typeof words>;

export interface Child {
  tell: (word: object) => void;
  /** @throws Error if it sends another message, or ends */
  hear: <T extends Word['type']>(type: T) => Promise<Extract<Word, { type: T }>>;
  /** Calls `act` at each message of this type. */
  on: (type: Word['type'], act: () => void) => void;
  end: () => Promise<void>;
}

export function startChild(script: string): Child {
  const child: ChildProcess = fork(join(import.meta.dirname, script), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = new Promise<void>((resolve) =>
    child.once('close', () => {
      resolve();
    }),
  );
  return {
    tell: (word) => child.send(word),
    hear: async (type) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      child.once('message', resolve);
      void gone.then(() => {
        reject(new Error(`${script} has ended`));
      });
      const word = await promise;
      const parsed = words.safeParse(word);
      if (!parsed.success || parsed.data.type !== type) throw new Error(`${script}: ${JSON.stringify(word)}`);
      return parsed.data as Extract<Word, { type: typeof type }>;
    },
    on: (type, act) => {
      child.on('message', (word) => {
        if (words.safeParse(word).data?.type === type) act();
      });
    },
    end: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
