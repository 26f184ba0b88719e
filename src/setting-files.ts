/** Reads settings from files, as Docker and Kubernetes mount secrets: `NAME_FILE=/path` sets NAME to the content. */
import { readFileSync } from 'node:fs';

/**
 * Replaces NAME_FILE variables by the contents of their files, without the line break at the end.
 * @param names the settings that a file may hold
 * @returns the environment
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
