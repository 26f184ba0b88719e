/** Serves the small model on loopback. The supervisor of local mode runs this file as a separate process. */
import { z } from 'zod';
import { localModelAccess } from '../../contract/models/local-model.ts';
import { sendToParent, untilStopped } from '../../process-life.ts';
import { chatServer } from './chat-server.ts';
import { loadLlama } from './llama.ts';

/** Schema of the JSON in the environment variable LOCAL_MODEL_PROCESS. */
const settings = localModelAccess
  .omit({ base_url: true })
  .extend({ engine: z.string(), file: z.string(), port: z.int() });
export type ModelProcessSettings = z.infer<typeof settings>;

const { engine, file, name, context_tokens, port, api_key } = settings.parse(
  JSON.parse(process.env['LOCAL_MODEL_PROCESS'] ?? ''),
);
// Listens before the model is loaded, so that requests during a restart wait instead of failing.
const loading = loadLlama({ engine, file, name, contextTokens: context_tokens });
const server = chatServer({
  model: { name, complete: async (...asked) => await (await loading).complete(...asked) },
  apiKey: api_key,
  failed: (error) => {
    // Logs only the error's name, because its message may quote a request.
    console.error(`an answer failed: ${error instanceof Error ? error.name : 'unknown error'}`);
  },
});
server.listen(port, '127.0.0.1');
await loading;
console.log(`${name} is loaded`);
sendToParent({ type: 'loaded' });
await untilStopped();
process.exit(0);
