/** The six client generators: how each is installed, run on the OpenAPI document, and its code compiled and started. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../src/local/cache-folder.ts';
import { run } from './run.ts';

/** Each from its own registry by that registry's client; a changed line is another folder in the cache. */
const versions = {
  npm: ['@hey-api/openapi-ts@0.99.0', 'typescript@6.0.3', '@types/node@24.19.2'],
  python: [
    'openapi-python-client==0.29.1',
    'datamodel-code-generator==0.89.0',
    // What the generated code imports.
    ...[
      'attrs==26.1.0',
      'httpx==0.28.1',
      'python-dateutil==2.9.0.post0',
      'urllib3==2.8.0',
      'pydantic==2.14.3',
    ],
  ],
  java: 'org.openapitools:openapi-generator-cli:7.25.0',
  go: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
  /** What the generated code imports. */
  goModules: ['github.com/oapi-codegen/runtime@v1.8.0', 'github.com/google/uuid@v1.6.0'],
};

export interface Generator {
  name: string;
  /** Installs it when it is missing, writes its code into the folder and compiles it. */
  make: (documentFile: string, folder: string) => Promise<void>;
  /** Runs the program of this generator against an API. */
  start: (folder: string, args: readonly string[]) => Promise<string>;
}

export const programs = join(import.meta.dirname, 'programs');

/** @returns the folder, made by `install` unless it is there whole already */
export async function cached(
  name: string,
  key: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), `clients-${name}-${hash}`);
  if (existsSync(join(folder, '.complete'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  // A virtual environment contains its own path. The mark is written once it is complete.
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(join(folder, '.complete'), key);
  return folder;
}

const npmTools = () =>
  cached('npm', versions.npm.join(' '), async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--silent', '--ignore-scripts', ...versions.npm],
      {
        cwd: folder,
      },
    );
  });

const pythonTools = () =>
  cached('python', versions.python.join(' '), async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...versions.python]);
  });

const javaTool = () =>
  cached('java', versions.java, async (folder) => {
    const where = ['-q', `-Dartifact=${versions.java}`, `-DoutputDirectory=${folder}`];
    await run('mvn', ['dependency:copy', ...where, '-Dmdep.stripVersion=true'], { cwd: folder });
  });

const goTool = () =>
  cached('go', versions.go, async (folder) => {
    await run('go', ['install', versions.go], { env: { GOBIN: folder } });
  });

/** Compiles with the types on, as a user's project would, and runs what came of it. */
const typescript = {
  compile: async (folder: string, program: string) => {
    const tools = await npmTools();
    cpSync(join(programs, program), join(folder, 'main.ts'));
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"commonjs"}');
    const options = {
      ...{ strict: true, skipLibCheck: true, target: 'es2022', outDir: 'dist', rootDir: '.' },
      ...{ module: 'commonjs', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
      ...{ types: ['node'], typeRoots: [join(tools, 'node_modules/@types')] },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['main.ts', 'generated'] }),
    );
    await run(process.execPath, [join(tools, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  },
  start: (folder: string, args: readonly string[]) =>
    run(process.execPath, [join(folder, 'dist/main.js'), ...args]),
};

const python = {
  start: async (folder: string, args: readonly string[]) =>
    await run(join(await pythonTools(), 'bin/python'), ['-W', 'error', join(folder, 'main.py'), ...args]),
  compile: async (folder: string, program: string) => {
    cpSync(join(programs, program), join(folder, 'main.py'));
    await run(join(await pythonTools(), 'bin/python'), ['-W', 'error', '-m', 'compileall', '-q', folder]);
  },
};

async function openapiGenerator(
  language: string,
  documentFile: string,
  into: string,
  more: readonly string[],
) {
  const jar = join(await javaTool(), 'openapi-generator-cli.jar');
  const printed = await run('java', [
    ...['-jar', jar, 'generate', '-g', language, '-i', documentFile, '-o', into],
    ...more,
  ]);
  const errors = printed.split('\n').filter((line) => line.includes('ERROR'));
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

export const generators: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    make: async (documentFile, folder) => {
      const command = join(await npmTools(), 'node_modules/@hey-api/openapi-ts/bin/run.js');
      await run(process.execPath, [
        command,
        '-i',
        documentFile,
        '-o',
        join(folder, 'generated'),
        '-c',
        '@hey-api/client-fetch',
      ]);
      await typescript.compile(folder, 'hey-api.ts.txt');
    },
    start: typescript.start,
  },
  {
    name: 'openapi-generator typescript-fetch',
    make: async (documentFile, folder) => {
      await openapiGenerator('typescript-fetch', documentFile, join(folder, 'generated'), []);
      await typescript.compile(folder, 'typescript-fetch.ts.txt');
    },
    start: typescript.start,
  },
  {
    name: 'openapi-generator python',
    make: async (documentFile, folder) => {
      await openapiGenerator('python', documentFile, folder, ['--package-name', 'generated']);
      await python.compile(folder, 'openapi-generator.py');
    },
    start: python.start,
  },
  {
    name: 'openapi-python-client',
    make: async (documentFile, folder) => {
      const bin = join(await pythonTools(), 'bin');
      await run(
        join(bin, 'openapi-python-client'),
        [
          'generate',
          '--path',
          documentFile,
          '--output-path',
          join(folder, 'generated'),
          '--meta',
          'none',
          '--overwrite',
        ],
        { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } },
      );
      await python.compile(folder, 'openapi-python-client.py');
    },
    start: python.start,
  },
  {
    name: 'datamodel-code-generator',
    make: async (documentFile, folder) => {
      const output = [
        '--output',
        join(folder, 'generated.py'),
        '--output-model-type',
        'pydantic_v2.BaseModel',
      ];
      await run(join(await pythonTools(), 'bin/datamodel-codegen'), [
        ...['--input', documentFile, '--input-file-type', 'openapi', ...output],
      ]);
      await python.compile(folder, 'datamodel-code-generator.py');
    },
    start: python.start,
  },
  {
    name: 'oapi-codegen',
    make: async (documentFile, folder) => {
      mkdirSync(join(folder, 'generated'), { recursive: true });
      await run(join(await goTool(), 'oapi-codegen'), [
        ...['-generate', 'types,client', '-package', 'generated'],
        ...['-o', join(folder, 'generated/client.go'), documentFile],
      ]);
      cpSync(join(programs, 'oapi-codegen.go.txt'), join(folder, 'main.go'));
      await run('go', ['mod', 'init', 'clients'], { cwd: folder });
      await run('go', ['get', ...versions.goModules], { cwd: folder });
      await run('go', ['build', '-o', 'main', '.'], { cwd: folder });
    },
    start: (folder, args) => run(join(folder, 'main'), args),
  },
];
