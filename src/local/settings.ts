/** Reads the settings of the supervisor of local mode. The API and the worker read theirs with src/config.ts. */
import { join } from 'node:path';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { port } from '../config.ts';
import { withSettingFiles } from '../setting-files.ts';
import { projectRoot } from './project-root.ts';
import { StartProblem } from './start-problem.ts';

const filled = z.string().transform((text) => (text === '' ? undefined : text));

const environment = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: filled.optional(),
  POSTGRES_PORT: port.default(0),
  TEMPORAL_ADDRESS: filled.optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_CONFIG_FILE: filled.optional(),
  TEMPORAL_PROFILE: filled.optional(),
  TEMPORAL_UI_URL: filled.optional(),
  TEMPORAL_PORT: port.default(0),
  TEMPORAL_UI_PORT: port.default(0),
  PUBLIC_URL: filled.optional(),
  CALLBACK_ALLOW: z.string().default(''),
  ENCRYPTION_KEY: filled.optional(),
  MODEL_NAME: filled.optional(),
  MODEL_BASE_URL: filled.optional(),
  OPENAI_API_KEY: filled.optional(),
  ANTHROPIC_API_KEY: filled.optional(),
  ECHO: z.enum(['on', 'off']).default('on'),
  ECHO_PORT: port.default(0),
});

/** Names of all settings. Each may also be set as NAME_FILE, the path of a file that holds the value. */
export const localSettingNames = Object.keys(environment.shape);

export type LocalSettings = Readonly<
  Omit<z.output<typeof environment>, 'TEMPORAL_ADDRESS'> & {
    /** The user's own Temporal. If undefined, local mode starts a Temporal. */
    externalTemporal: { address: string; namespace: string } | undefined;
    /**
     * Environment variables that the API and the worker inherit. If local mode starts a Temporal, they do not include
     * the user's variables for another Temporal.
     */
    inherited: NodeJS.ProcessEnv;
  }
>;

/**
 * Validates the environment.
 * @throws StartProblem if a variable is invalid, ENCRYPTION_KEY is missing in production, or a file of a setting or the
 * settings for the user's own Temporal cannot be read
 */
export function readLocalSettings(given: NodeJS.ProcessEnv = process.env): LocalSettings {
  const env = withFiles(given);
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new StartProblem(`The environment is invalid:\n${problems.join('\n')}`);
  }
  const { TEMPORAL_ADDRESS, ...settings } = parsed.data;
  if (settings.NODE_ENV === 'production' && settings.ENCRYPTION_KEY === undefined) {
    throw new StartProblem(
      'ENCRYPTION_KEY is required in production: 32 bytes as base64 (openssl rand -base64 32).',
    );
  }
  const ownTemporal = [TEMPORAL_ADDRESS, settings.TEMPORAL_CONFIG_FILE, settings.TEMPORAL_PROFILE];
  if (ownTemporal.some((value) => value !== undefined)) {
    return { ...settings, externalTemporal: externalTemporal(env), inherited: env };
  }
  // Names a file that does not exist, so that the SDK does not read the user's default file. The SDK accepts a missing
  // file, but not a file without profiles.
  const noFile = join(projectRoot, '.cache', 'no-temporal-settings.toml');
  // Leaves out all settings for another Temporal, so that its keys and certificates are not sent to the Temporal that
  // is started here.
  const others = Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return {
    ...settings,
    externalTemporal: undefined,
    inherited: { ...Object.fromEntries(others), TEMPORAL_CONFIG_FILE: noFile },
  };
}

/**
 * Reads the arguments of `npm start`.
 * @throws StartProblem if an argument is unknown, or --local-model is given in production
 */
export function readStartOptions(
  args: readonly string[],
  { NODE_ENV }: Pick<LocalSettings, 'NODE_ENV'>,
): { localModel: boolean } {
  const unknown = args.find((arg) => arg !== '--local-model');
  if (unknown !== undefined) {
    throw new StartProblem(`${unknown} is unknown. The only argument is --local-model.`);
  }
  if (args.length > 0 && NODE_ENV === 'production') {
    throw new StartProblem('--local-model is for trying Parley: unset NODE_ENV=production, or leave it out.');
  }
  return { localModel: args.length > 0 };
}

/** @throws StartProblem if a file that a setting names cannot be read */
function withFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return withSettingFiles(env, localSettingNames);
  } catch (cause) {
    throw new StartProblem(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** @throws StartProblem if the settings for the user's own Temporal name no address or cannot be read */
function externalTemporal(env: NodeJS.ProcessEnv): { address: string; namespace: string } {
  try {
    const variables = Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const found = loadClientConnectConfig({ overrideEnvVars: variables });
    const address = found.connectionOptions.address;
    if (address === undefined) throw new Error('it names no address');
    return { address, namespace: found.namespace ?? 'default' };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StartProblem(
      `The settings for your own Temporal (TEMPORAL_ADDRESS, TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE) cannot be used: ${why}`,
      { cause },
    );
  }
}
