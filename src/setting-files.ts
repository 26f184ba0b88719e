/** Secrets by file: `NAME_FILE=/path` stands for the setting NAME with what the file holds, as Docker and Kubernetes mount it. */
import { readFileSync } from 'node:fs';

/**
 * @param names of the settings that a file may hold
 * @returns the environment with what the files hold, less a line break at their end, in place of the NAME_FILE
 * @throws Error where both NAME and NAME_FILE are set, or the file cannot be read; it never holds the secret
 */
export function withSettingFiles(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const read = { ...env };
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    try {
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (cause) {
      throw new Error(`${name}_FILE names ${path}, which cannot be read.`, { cause });
    }
    Reflect.deleteProperty(read, `${name}_FILE`);
  }
  return read;
}
