import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

const entries = ['src/main-api.ts', 'src/main-worker.ts', 'workflows/index.ts'] as const;
const maxFiles = 20;
/** A step may lie behind one file that only passes it on. */
const maxImportsApart = 2;

interface Part {
  entry: string;
  steps: string[];
}

/** The parts of the walk in the README, one a process, and the files that each names. */
function readWalk(markdown: string): Part[] {
  const section = /^## The path of a message$([^]*?)^## /m.exec(markdown)?.[1] ?? '';
  return section.split(/^(?=\*\*In )/m).flatMap((text) => {
    const entry = /^\*\*In .*\]\((\S+?)\)/.exec(text)?.[1];
    if (entry === undefined) return [];
    return [{ entry, steps: [...text.matchAll(/^\d+\. \[`\S+`\]\((\S+)\)/gm)].map(([, file = '']) => file) }];
  });
}

/** @param typesToo false: only imports that are there when the program runs */
function importsOf(file: string, typesToo: boolean): string[] {
  const code = readFileSync(join(projectRoot, file), 'utf8');
  const pattern = /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'/gm;
  return [...code.matchAll(pattern)]
    .filter(([, type]) => typesToo || type === undefined)
    .map(([, , from, alone]) => normalize(join(dirname(file), from ?? alone ?? '')))
    .filter((path) => path.endsWith('.ts') && existsSync(join(projectRoot, path)));
}

function reach(from: readonly string[], typesToo: boolean, most = Infinity): Set<string> {
  const seen = new Set(from);
  let edge = [...from];
  for (let apart = 0; apart < most && edge.length > 0; apart++) {
    edge = edge.flatMap((file) => importsOf(file, typesToo)).filter((file) => !seen.has(file));
    for (const file of edge) seen.add(file);
    edge = [...new Set(edge)];
  }
  return seen;
}

const running = reach(entries, false);

/** Returns the untrue statements of a walk. */
function mistakes(parts: readonly Part[]): string[] {
  return parts.flatMap(({ entry, steps }) =>
    steps.flatMap((step, index) => {
      if (!existsSync(join(projectRoot, step))) return [`${step} does not exist`];
      if (!running.has(step)) return [`${step} is imported by no process`];
      // The first step of a part is somewhere below its entry.
      const near =
        index === 0
          ? reach([entry], true)
          : reach(
              steps.slice(0, index).filter((one) => existsSync(join(projectRoot, one))),
              true,
              maxImportsApart,
            );
      return near.has(step) ? [] : [`${step} is not imported by a step before it`];
    }),
  );
}

describe('The path of a message in the README', () => {
  const parts = readWalk(readFileSync(join(projectRoot, 'README.md'), 'utf8'));

  it('goes through every process, and names at most 20 files', () => {
    assert.deepEqual(new Set(parts.map(({ entry }) => entry)), new Set(entries));
    const steps = parts.flatMap(({ steps }) => steps);
    assert.equal(new Set(steps).size, steps.length);
    assert.ok(steps.length >= 10 && steps.length <= maxFiles, `${steps.length} files`);
  });

  it('names files that run, each imported by a step before it', () => {
    assert.deepEqual(mistakes(parts), []);
  });

  it('is refused if it names a file that is gone, that no process imports, or that no step before it imports', () => {
    const [first] = parts;
    assert.ok(first);
    const planted = ['src/gone.ts', 'test/docs/pages.ts', 'src/adapters/models/language-model.ts'];
    assert.equal(mistakes([{ entry: first.entry, steps: [...first.steps, ...planted] }]).length, 3);
  });
});
