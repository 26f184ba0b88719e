import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { builtinModules } from 'node:module';

const nodeBuiltins = builtinModules.flatMap((name) => [name, `node:${name}`]);
const oneClient = 'Supplied URLs are dialled by src/adapters/http/public-http.ts alone.';
/** @param allowed what pure code may import from Node, by module */
const pureCode = (allowed = {}) => ({
  'no-restricted-imports': [
    'error',
    {
      paths: [
        ...nodeBuiltins.map((name) => ({
          name,
          message: 'Pure code: no Node, no I/O.',
          ...(name in allowed && { allowImportNames: allowed[name] }),
        })),
        { name: 'zod', message: 'Schemas run in the API and in activities, never in replayed code.' },
      ],
    },
  ],
  'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval'],
});

const namedExports = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'ExportAllDeclaration', message: 'Name what is exported.' },
];
/** In the product's code, also in a `const` assertion. The parser drops parentheses. */
const literalSpreads = ['ObjectExpression', 'ArrayExpression'].flatMap((literal) =>
  [' > ', ' > TSAsExpression > '].map((inside) => ({
    selector: `${literal} > SpreadElement${inside}${literal}`,
    message: 'Write the entries directly.',
  })),
);
/** Code that reads Postgres parses what a query returns; a type argument would cast it. The SQL has one case for keys. */
const parsedRows = [
  {
    selector:
      'CallExpression[typeArguments][callee.property.name=/^(query|raw|select|first|returning|pluck|delete|update)$/]',
    message: 'Parse the rows with a schema: statement(name, row), rowsOf or rowOf.',
  },
  {
    selector:
      ':not(ExpressionStatement, CallExpression[callee.property.name=parse]) > AwaitExpression > CallExpression[callee.property.name=/^(select|first|returning|pluck|where|whereIn|limit|orderBy|orderByRaw|raw)$/]',
    message: 'Parse the rows of a knex query with rowsOf or rowOf.',
  },
  {
    selector: 'CallExpression[callee.object.name=z][callee.property.name=custom][arguments.length=0]',
    message: 'z.custom without a check is a cast.',
  },
  {
    selector: 'TemplateElement[value.raw=/ as "[a-z]+[A-Z]/]',
    message: 'SQL names columns in snake case; camelRow converts them.',
  },
];
const saidAttribute =
  'JSXAttribute[name.name=/^(aria-label|label|title|text|lead|description|placeholder|alt|legend|message|action)$/]';

/** What needs no types. Rules that do are in .oxlintrc.json, whose program checks types too. */
export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '.cache/**',
      '.data/**',
      'node_modules/**',
      'src/console/vite.config.ts',
      // Generated.
      'src/client/dist/**',
      'src/client/api.ts',
    ],
  },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      'no-restricted-syntax': ['error', ...namedExports],
    },
  },
  {
    files: ['{src,workflows,activities,examples}/**/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', ...namedExports, ...literalSpreads] },
  },
  {
    files: ['src/{adapters/postgres,adapters/accounts,cli,local}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...namedExports, ...literalSpreads, ...parsedRows] },
  },
  {
    // What people read in the console is in src/console/messages.ts and messages/ alone.
    files: ['src/console/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...namedExports,
        ...literalSpreads,
        ...['JSXText', 'JSXExpressionContainer > Literal', `${saidAttribute} > Literal`].map((place) => ({
          selector: `${place}[value=/[a-z]{2}/i]`,
          message: 'Put what people read into src/console/messages.',
        })),
      ],
    },
  },
  { files: ['workflows/**/*.ts', 'src/domain/**/*.ts'], rules: pureCode() },
  {
    // These two compare addresses without I/O.
    files: ['src/domain/http/address-rules.ts'],
    rules: pureCode({ 'node:net': ['BlockList', 'isIP'] }),
  },
  {
    // A pattern reads what strangers write: none may take more than linear time.
    files: ['src/**/*.{ts,tsx}', 'activities/**/*.ts', 'workflows/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-dupe-disjunctions': [
        'error',
        { report: 'trivial', reportExponentialBacktracking: 'potential' },
      ],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'],
    ignores: ['src/config.ts', 'src/local/**', 'src/cli/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'src/config.ts is the only reader of the environment.',
        },
      ],
    },
  },
  {
    // One client for every URL that somebody supplies: nothing else opens a connection over HTTP. What the operator's
    // own settings name, a workspace and a model provider, is asked by fetch in two places.
    files: ['src/**/*.ts', 'activities/**/*.ts'],
    ignores: [
      'src/local/**',
      'src/cli/**',
      'src/console/**',
      'src/client/**',
      'src/main-api.ts',
      'src/private-port.ts',
      'src/domain/**',
      'src/adapters/http/public-http.ts',
      'src/adapters/http/name-resolver.ts',
      'src/workspace/client/fetch.ts',
      'src/adapters/models/model-fetch.ts',
    ],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: oneClient }],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            ...['node:http', 'node:https', 'node:http2', 'node:tls', 'node:dgram', 'node:dns', 'undici'].map(
              (name) => ({
                name,
                message: oneClient,
                allowTypeImports: true,
              }),
            ),
            { name: 'node:dns/promises', message: oneClient },
            {
              name: 'node:net',
              importNames: ['connect', 'createConnection', 'Socket', 'default'],
              message: oneClient,
              allowTypeImports: true,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.object.name=/^(it|describe)$/][callee.property.name=/^(only|skip)$/]',
          message: 'A skipped test is a defect.',
        },
      ],
    },
  },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], rules: { 'no-restricted-syntax': 'off' } },
);
