import assert from 'node:assert/strict';
import { faultOfStyles, type BuiltFile } from '../../src/console/build/first-styles.ts';

const core = '/node_modules/@mantine/core';
const button = `${core}/esm/components/Button/Button.module.mjs`;
const stylesOfButton = `${core}/styles/Button.layer.css`;
const table = `${core}/esm/components/Table/Table.module.mjs`;

const file = (fileName: string, rest: Partial<BuiltFile>): BuiltFile => ({
  ...{ fileName, facadeModuleId: null, imports: [], moduleIds: [] },
  ...rest,
});
const page = (...moduleIds: string[]) =>
  file('index.js', { facadeModuleId: '/console/index.html', moduleIds });
const application = file('main.js', { facadeModuleId: '/console/main.tsx', imports: ['shared.js'] });
const shared = file('shared.js', { moduleIds: [button] });
const faultOf = (...files: BuiltFile[]) => faultOfStyles(files, '/console/main.tsx');

describe('Styles of the first page', () => {
  it('fail the build if those of a component are missing, also of one in a shared file', () => {
    assert.equal(faultOf(page(stylesOfButton), application, shared), undefined);
    assert.match(faultOf(page(), application, shared) ?? '', /lacks the styles of Button\./);
  });

  it('leave out those of a page that loads later', () => {
    const later = file('later.js', { facadeModuleId: '/console/later.tsx', moduleIds: [table] });
    assert.equal(faultOf(page(stylesOfButton), application, shared, later), undefined);
  });

  it('fail the build if no component is found, as after a change of the files of Mantine', () => {
    assert.match(faultOf(page(stylesOfButton), application) ?? '', /no component of Mantine/);
  });
});
