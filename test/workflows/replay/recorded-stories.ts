/** The recorded histories of every version, with the traces of what the code did. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { projectRoot } from '../../../src/local/project-root.ts';

export const historiesFolder = join(projectRoot, 'test/workflows/histories');

export type RecordedStory = {
  /** `<version>/<story>` */
  name: string;
  workflowId: string;
  history: History;
  /** Content of the file. */
  json: string;
  traceFile: string;
  /** Empty if none was recorded. */
  trace: string[];
};

export function recordedStories(): RecordedStory[] {
  return readdirSync(historiesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: version }) =>
      readdirSync(join(historiesFolder, version))
        .filter((file) => file.endsWith('.json'))
        .map((file) => readStory(version, file.slice(0, -'.json'.length))),
    );
}

export function readStory(version: string, story: string): RecordedStory {
  const file = join(historiesFolder, version, story);
  const json = readFileSync(`${file}.json`, 'utf8');
  const history = historyFromJSON(JSON.parse(json));
  const traceFile = `${file}.trace`;
  return {
    name: `${version}/${story}`,
    workflowId: history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? '',
    history,
    json,
    traceFile,
    trace: existsSync(traceFile) ? readFileSync(traceFile, 'utf8').trimEnd().split('\n') : [],
  };
}
