/** docker-compose.yml under a project name of its own, started by the container engine of this machine. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { projectRoot } from '../../../src/local/project-root.ts';
import { composePath } from '../compose-file.ts';

const run = promisify(execFile);

export interface Ended {
  code: number;
  output: string;
}

const container = z.object({
  Name: z.string(),
  HostConfig: z.object({
    Memory: z.number(),
    LogConfig: z.object({ Type: z.string(), Config: z.record(z.string(), z.string()) }),
  }),
});

export class ComposeProject {
  readonly name: string;
  readonly #env: NodeJS.ProcessEnv;
  /**
   * The stand-ins of own-engine.sh have other digests than the images: main.ts makes a copy without digests for them.
   */
  readonly #files: string[] = [process.env['COMPOSE_WITHOUT_DIGESTS'] ?? composePath];

  /** @param env settings that `.env` would have */
  constructor(name: string, env: NodeJS.ProcessEnv = {}) {
    this.name = name;
    this.#env = { ...process.env, ...env };
  }

  /** Adds an override. */
  with(file: string): void {
    this.#files.push(file);
  }

  async compose(...args: string[]): Promise<Ended> {
    const files = this.#files.flatMap((file) => ['--file', file]);
    const project = ['--project-name', this.name, '--project-directory', projectRoot];
    const all = ['compose', ...project, '--progress', 'plain', ...files, ...args];
    const child = spawn('docker', all, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const code = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => {
        resolve(status ?? 1);
      });
    });
    return { code, output };
  }

  /** @throws Error with what it wrote, if it fails */
  async must(...args: string[]): Promise<string> {
    const { code, output } = await this.compose(...args);
    if (code !== 0)
      throw new Error(`docker compose ${args.join(' ')} ended with ${code}:\n${output.slice(-4000)}`);
    return output;
  }

  /** Ends one container at once, as a crash of the machine does. @returns false if it does not run */
  async kill(service: string): Promise<boolean> {
    return await run('docker', ['kill', '--signal=KILL', `${this.name}-${service}-1`]).then(
      () => true,
      () => false,
    );
  }

  async running(service: string): Promise<boolean> {
    const name = `${this.name}-${service}-1`;
    const { stdout } = await run('docker', ['ps', '--quiet', '--filter', `name=^${name}$`]);
    return stdout.trim() !== '';
  }

  async containers(): Promise<z.output<typeof container>[]> {
    const filter = `label=com.docker.compose.project=${this.name}`;
    const { stdout } = await run('docker', ['ps', '--all', '--quiet', '--filter', filter]);
    const ids = stdout.split('\n').filter((id) => id !== '');
    const inspected = await run('docker', ['inspect', ...ids], { maxBuffer: 64 * 1024 * 1024 });
    return z.array(container).parse(JSON.parse(inspected.stdout));
  }

  /** Removes its containers, networks and volumes. */
  async remove(): Promise<void> {
    await this.must('down', '--volumes', '--timeout', '10', '--remove-orphans');
  }
}
