/** A stack whose default model is a language model behind HTTP: one for all files that need one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopbackCertificate } from './receiver-certificate.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { beforeBackingStops } from './backing.ts';
import { shareStack, startStack, type Stack } from './stack.ts';

export type ModelStack = Stack & { model: ModelServer };

export const modelSettings = {
  MODEL_API_KEY: 'key-of-the-model',
  MODEL_NAME: 'tested-1',
  // Longer than the pauses of a busy machine: a call that reaches its limit is made again.
  MODEL_TIMEOUT_SECONDS: '8',
  MODEL_CONTEXT_TOKENS: '8000',
  MODEL_PRICES: JSON.stringify({
    'custom/tested-1': { input: 3, output: 5 },
    // Only caps count it: 1 credit for each call.
    'scripted/default': { input: 0, output: 0.25 },
  }),
};

async function start(): Promise<ModelStack> {
  const model = await startModelServer();
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const trusted = join(folder, 'loopback.pem');
  writeFileSync(trusted, loopbackCertificate);
  const stack = await startStack({
    lines: false,
    env: {
      ...modelSettings,
      MODEL_BASE_URL: model.baseUrl,
      CALLBACK_ALLOW: '127.0.0.1',
      TOOL_ALLOW: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: trusted,
    },
  });
  beforeBackingStops(async () => {
    await stack.stop();
    await model.close();
    rmSync(folder, { recursive: true });
  });
  return { ...stack, model };
}

export const useModelStack = shareStack(start);
