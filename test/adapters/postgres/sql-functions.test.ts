import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { approvalReasons } from '../../../src/domain/conversations/approval-reasons.ts';
import { projectRoot } from '../../../src/local/project-root.ts';

interface SqlFile {
  name: string;
  /** The comment before the function, in one line. */
  header: string;
  code: string;
}

function read(path: string): SqlFile {
  const text = readFileSync(path, 'utf8');
  const [comment = ''] = /^(?:--.*\n)*/.exec(text) ?? [];
  return {
    name: basename(path, '.sql'),
    header: comment.replaceAll(/^-- ?/gm, '').replaceAll('\n', ' '),
    code: text.slice(comment.length).replaceAll(/--.*$/gm, ''),
  };
}

/** @returns what is missing in the header of a function */
function missing({ header, code }: SqlFile): string[] {
  const returned = /\breturns\s+(\w+)/.exec(code)?.[1] ?? 'out';
  return [
    ...(/\bLocks(?::| nothing\b)/.test(header) ? [] : ['Locks']),
    ...(['void', 'trigger'].includes(returned) || /\bReturns\b/.test(header) ? [] : ['Returns']),
  ];
}

/**
 * @returns the texts of a function with three words or more. No caller reads those that it raises: they are faults or
 * have a code.
 */
function sentences({ code }: SqlFile): string[] {
  return [...code.replaceAll(/\braise exception[^;]*;/g, '').matchAll(/'((?:[^']|'')*)'/g)]
    .map(([, text = '']) => text)
    .filter((text) => /^[A-Za-z]+(?: [a-z]+){2}/.test(text));
}

describe('The SQL functions', () => {
  const folder = join(projectRoot, 'src/adapters/postgres/functions');
  const files = globSync('**/*.sql', { cwd: folder }).map((path) => read(join(folder, path)));

  it('say in their headers what they lock, and what they return', () => {
    assert.ok(files.length > 60);
    assert.deepEqual(
      files.map((file) => [file.name, ...missing(file)]).filter((found) => found.length > 1),
      [],
    );
  });

  it('hold no sentences that a model or a caller reads', () => {
    const found = Object.fromEntries(files.map((file) => [file.name, sentences(file)]));
    assert.deepEqual(
      Object.entries(found).filter(([, texts]) => texts.length > 0),
      [],
    );
  });

  it('name the reasons of the domain, and the domain has no other reasons', () => {
    const named = new Set(
      files.flatMap(({ name, code }) => {
        const decides = /\b(?:decide_as_system|end_approvals|approval_reasons)\b/.test(code);
        if (!decides || name === 'end_approvals') return [];
        return [...code.matchAll(/'([a-z]+_[a-z]+|undecided)'/g)].map(([, code = '']) => code);
      }),
    );
    const reasons = Object.keys(approvalReasons);
    assert.deepEqual(
      reasons.filter((reason) => !named.has(reason)),
      [],
    );
    const passed = files.flatMap(({ code }) =>
      [
        ...code.matchAll(
          /(?:decide_as_system|end_approvals)\((?:[^()]|\([^()]*\))*?'([a-z_]+)', [pv]_now\)/g,
        ),
      ].map(([, reason = '']) => reason),
    );
    assert.ok(passed.length >= 5, passed.join());
    assert.deepEqual(
      passed.filter((reason) => !reasons.includes(reason)),
      [],
    );
  });
});
