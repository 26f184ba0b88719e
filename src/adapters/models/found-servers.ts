/** Finds model servers on this computer, at the ports that the usual programs listen on. Only local mode uses it. */
import { z } from 'zod';
import { guardedFetch } from '../http/guarded-fetch.ts';
import type { PublicHttp } from '../http/public-http.ts';
import type { ModelServers } from '../../contract/models/local-model.ts';

export interface KnownServer {
  /** Proposed name of the provider. */
  name: string;
  program: string;
  port: number;
}

/** The default ports in the documentation of these programs. */
export const knownServers: readonly KnownServer[] = [
  { name: 'ollama', program: 'Ollama', port: 11_434 },
  { name: 'lm-studio', program: 'LM Studio', port: 1234 },
  { name: 'vllm', program: 'vLLM', port: 8000 },
  { name: 'llama-cpp', program: 'llama.cpp', port: 8080 },
];

/** Maximum milliseconds and bytes of one answer, and maximum models that are read from it. Chosen. */
const answerMs = 3000;
const maxAnswerBytes = 256 * 1024;
const maxModels = 50;

const list = z.object({ data: z.array(z.object({ id: z.string() })) });

const hostOf = ({ port }: KnownServer): string => `127.0.0.1:${port}`;

/** Returns the addresses of model servers that may be private: MODEL_ALLOW and, in local mode, `knownServers`. */
export const modelAllow = (
  { MODEL_ALLOW }: { MODEL_ALLOW: readonly string[] },
  isLocalMode: boolean,
): string[] => [...MODEL_ALLOW, ...(isLocalMode ? knownServers.map(hostOf) : [])];

/**
 * Asks each server for its models, once and without a key.
 * @param http must allow the addresses of `known`
 * @param timeoutMs maximum time of each answer
 * @returns the servers that answered with at least one model
 */
export async function findServers(
  http: PublicHttp,
  organizationId: string,
  known: readonly KnownServer[] = knownServers,
  timeoutMs = answerMs,
): Promise<ModelServers['data']> {
  const ask = guardedFetch({
    http,
    organizationId,
    maxBytes: maxAnswerBytes,
    timeoutMs: () => timeoutMs,
    errorOf: ({ kind }) => new Error(kind),
  });
  const found = await Promise.all(
    known.map(async (server) => {
      const base_url = `http://${hostOf(server)}/v1`;
      const models = await modelsAt(ask, `${base_url}/models`).catch(() => []);
      return { name: server.name, program: server.program, base_url, models };
    }),
  );
  return found.filter(({ models }) => models.length > 0);
}

async function modelsAt(ask: typeof fetch, url: string): Promise<string[]> {
  const response = await ask(url);
  const { data } = list.parse(await response.json());
  // Omits names that `addProviderForm` would refuse.
  return data
    .map(({ id }) => id)
    .filter((id) => /^[^\s\x00]{1,150}$/.test(id))
    .slice(0, maxModels);
}
