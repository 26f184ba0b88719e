/** Runs the small model of local mode: fetches it once, keeps its process running, and reports each change. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  LocalModel as View,
  LocalModelAccess,
  LocalModelMessage,
} from '../../contract/models/local-model.ts';
import { keepRunning, type Kept } from '../keep-running.ts';
import type { ChoosePort } from '../kept-ports.ts';
import { startNodeChild } from '../node-child.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { ensureEngine } from './ensure-engine.ts';
import { ensureModel } from './ensure-model.ts';
import type { ModelProcessSettings } from './main.ts';
import { downloads, modelId } from './pinned.ts';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));

export type LocalModelOptions = Readonly<{
  dataDir: string;
  choose: ChoosePort;
  print: (line: string) => void;
  signal: AbortSignal;
  /** Called after each change of `message` and `pid`. */
  changed: () => void;
}>;

export class LocalModel {
  readonly #options: LocalModelOptions;
  #view: View = { state: 'off', model: null, downloads: [...downloads], progress: null, problem: null };
  #access: LocalModelAccess | undefined;
  #starting: Promise<void> | undefined;
  #kept: Kept | undefined;
  /** Id of the model's process; null if none has been started. */
  pid: number | null = null;

  constructor(options: LocalModelOptions) {
    this.#options = options;
  }

  /** The state of the model, and how to call it, as the API and the worker receive it. */
  get message(): LocalModelMessage {
    return { type: 'local-model', view: this.#view, access: this.#access ?? null };
  }

  /** Environment variables for the API and the worker. */
  get env(): NodeJS.ProcessEnv {
    return this.#access === undefined ? {} : { LOCAL_MODEL: JSON.stringify(this.#access) };
  }

  /**
   * Fetches what is missing, and starts the model. Does nothing if it runs. A call during a start waits for that start.
   * A failure is printed and is in `message`; the next call tries again.
   */
  async start(): Promise<void> {
    if (this.#kept !== undefined) return;
    this.#starting ??= this.#run().catch((error: unknown) => {
      if (this.#options.signal.aborted) return;
      const problem = error instanceof Error ? error.message : String(error);
      this.#options.print(`The model on this computer does not run: ${problem}`);
      this.#set({ state: 'failed', progress: null, problem });
    });
    await this.#starting;
    this.#starting = undefined;
  }

  /** Stops the model, after a start in progress has ended. */
  async stop(): Promise<void> {
    await this.#starting;
    await this.#kept?.stop();
  }

  async #run(): Promise<void> {
    const { dataDir, choose, print, signal } = this.#options;
    const report = (line: string) => {
      print(line);
      this.#set({ state: 'fetching', progress: line.trim(), problem: null });
    };
    this.#set({ state: 'fetching', progress: null, problem: null });
    const engine = await unlessAborted(ensureEngine(report), signal);
    const { model, path } = await unlessAborted(ensureModel(report), signal);
    this.#set({ state: 'starting', progress: null, problem: null });
    const port = await choose('LOCAL_MODEL_PORT', 0);
    const { name, contextTokens: context_tokens } = model;
    const shared = { name, context_tokens, api_key: randomBytes(24).toString('base64url') };
    const settings: ModelProcessSettings = { ...shared, engine, file: path, port };
    // The process gets no other variables, because these include keys and passwords.
    const { PATH, HOME, TMPDIR } = process.env;
    this.#kept = await keepRunning({
      name: `The model ${name}`,
      start: (abort) =>
        startNodeChild({
          name: 'model',
          script,
          saysWhenUp: 'loaded',
          signal: abort,
          env: { PATH, HOME, TMPDIR, LOCAL_MODEL_PROCESS: JSON.stringify(settings) },
          log: join(dataDir, 'logs', 'model.log'),
          pidFile: join(dataDir, 'pids', 'model'),
        }),
      changed: ({ pid }) => {
        this.pid = pid;
        this.#options.changed();
      },
      say: print,
      signal,
    });
    this.#access = { ...shared, base_url: `http://127.0.0.1:${port}/v1` };
    this.#set({ state: 'ready', model: modelId(model), progress: null, problem: null });
    print(`${model.title} (${model.licence}) runs on this computer as ${modelId(model)}.`);
  }

  #set(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    this.#options.changed();
  }
}
