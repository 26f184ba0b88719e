import assert from 'node:assert/strict';
import type { Rolldown } from 'vite';
import { firstStyles } from '../../src/console/build/first-styles.ts';

type Chunk = Partial<Rolldown.OutputChunk>;

const core = '/node_modules/@mantine/core';
const button = `${core}/esm/components/Button/Button.module.mjs`;
const stylesOfButton = `${core}/styles/Button.layer.css`;

/** @returns the error of the build; undefined if it has none */
function errorOf(chunks: readonly Chunk[]): string | undefined {
  const { generateBundle } = firstStyles('/console/main.tsx') as {
    generateBundle: (this: { error: (message: string) => void }, options: object, bundle: object) => void;
  };
  let said: string | undefined;
  const context = {
    error: (message: string) => {
      said = message;
    },
  };
  const bundle = chunks.map((chunk) => [
    chunk.fileName,
    { type: 'chunk', imports: [], moduleIds: [], ...chunk },
  ]);
  generateBundle.call(context, {}, Object.fromEntries(bundle) as object);
  return said;
}

const page = (moduleIds: string[]): Chunk => ({
  fileName: 'index.js',
  facadeModuleId: '/console/index.html',
  moduleIds,
});
const application: Chunk = {
  fileName: 'main.js',
  facadeModuleId: '/console/main.tsx',
  imports: ['shared.js'],
};

describe('Styles of the first page', () => {
  it('fail the build if those of a component are missing, also of one in a shared file', () => {
    const shared = { fileName: 'shared.js', moduleIds: [button] };
    assert.equal(errorOf([page([stylesOfButton]), application, shared]), undefined);
    assert.match(errorOf([page([]), application, shared]) ?? '', /lacks the styles of Button\./);
  });

  it('leave out those of a page that loads later', () => {
    const table = `${core}/esm/components/Table/Table.module.mjs`;
    const later = { fileName: 'later.js', facadeModuleId: '/console/later.tsx', moduleIds: [table] };
    assert.equal(errorOf([page([stylesOfButton, button]), application, later]), undefined);
  });

  it('fail the build if no component is found, as after a change of the files of Mantine', () => {
    assert.match(errorOf([page([stylesOfButton]), application]) ?? '', /no component of Mantine/);
  });
});
