/** Finds the blocks of bundled source that no run has entered, by V8's own counters. */
import { Session } from 'node:inspector/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';
import { projectRoot } from '../../../src/local/project-root.ts';

/**
 * @param code a bundle with its source map inside, first run within `run`, in this thread
 * @param isOurs decides by a path relative to the project's root whether a source counts
 * @returns how many blocks there are, and those never entered as `file:line: code`
 */
export async function blockCoverage(
  code: string,
  isOurs: (file: string) => boolean,
  run: () => Promise<void>,
): Promise<{ blocks: number; missed: string[] }> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const place = placesIn(code);
    const missed = new Set<string>();
    const seen = new Set<string>();
    for (const { functions } of result.filter(({ url }) => url.includes('workflow-bundle'))) {
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        const found = place(startOffset);
        if (found === undefined || !isOurs(found.file)) continue;
        seen.add(`${startOffset}-${endOffset}`);
        const shown = code.slice(startOffset, Math.min(endOffset, startOffset + 80)).replace(/\s+/g, ' ');
        if (count === 0) missed.add(`${found.file}:${found.line}: ${shown}`);
      }
    }
    return { blocks: seen.size, missed: [...missed].sort() };
  } finally {
    session.disconnect();
  }
}

/** Offset in the bundle → place in the source. */
export function placesIn(code: string): (offset: number) => { file: string; line: number } | undefined {
  const embedded = /\/\/# sourceMappingURL=data:application\/json;[^,]*base64,([\w+/=]+)\s*$/.exec(code)?.[1];
  if (embedded === undefined) throw new Error('the bundle has no source map in it');
  const map = new SourceMap(JSON.parse(Buffer.from(embedded, 'base64').toString()) as SourceMapPayload);
  const lineStarts = [0];
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    const entry = map.findEntry(low, offset - lineStarts[low]!);
    // Code that the compiler added has no place of its own: the entry is then one of an earlier line.
    if (!('originalSource' in entry) || entry.generatedLine !== low) return undefined;
    return { file: relative(projectRoot, entry.originalSource), line: entry.originalLine + 1 };
  };
}
