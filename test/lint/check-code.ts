/** Types and lint rules of the whole tree, over one program for each tsconfig: each file is read and typed once for both. */
import { ESLint } from 'eslint';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../src/local/project-root.ts';

function programOf(config: string): ts.Program {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(projectRoot, config), {}, host);
  if (parsed === undefined) throw new Error(`${config} cannot be read`);
  const { fileNames, options, errors } = parsed;
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
}

const tree = programOf('tsconfig.json');
const ofConsole = programOf('src/console/tsconfig.json');
const wrong = [tree, ofConsole].flatMap((program) => ts.getPreEmitDiagnostics(program));
const format = {
  getCurrentDirectory: () => projectRoot,
  getCanonicalFileName: String,
  getNewLine: () => '\n',
};
if (wrong.length > 0) console.log(ts.formatDiagnostics(wrong, format));

const over = (files: string, program: ts.Program) => ({
  files: [files],
  languageOptions: { parserOptions: { projectService: false, programs: [program] } },
});
const eslint = new ESLint({
  cwd: projectRoot,
  overrideConfigFile: join(projectRoot, 'test/lint/eslint.config.js'),
  overrideConfig: [over('**/*.{ts,tsx}', tree), over('src/console/**/*.{ts,tsx}', ofConsole)],
  warnIgnored: false,
});
const results = await eslint.lintFiles(['.']);
const said = await (await eslint.loadFormatter('stylish')).format(results);
if (said !== '') console.log(said);
const found = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
process.exitCode = wrong.length > 0 || found ? 1 : 0;
