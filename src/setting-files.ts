/** Reads settings from files, because Docker and Kubernetes mount secrets as files: `NAME_FILE=/path` sets NAME. */
import { readFileSync } from 'node:fs';

/**
 * Replaces each variable NAME_FILE with NAME, set to the content of the file without its final line break.
 * @param names the settings that a file may hold
 * @returns a changed copy of the environment
 * @throws Error if both NAME and NAME_FILE are set, or the file cannot be read; the message never contains the secret
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
