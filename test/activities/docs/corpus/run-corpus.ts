/** `npm run corpus:docs -- DIR`: the actions against recorded exchanges: their requests, the answers, the blocks, lost answers. */
import { recordings } from '../../../support/workspace/corpus/recording.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareRequests } from './compare-requests.ts';
import { loseAnswers } from './lose-answers.ts';
import { roundTrip } from './round-trip.ts';

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('usage: npm run corpus:docs -- DIR   (a folder of recorded exchanges)\n');
  process.exit(2);
}
const all = recordings(folder);
const lines: string[] = [];
const list = (title: string, entries: Iterable<string>): void => {
  const found = [...entries];
  if (found.length === 0) return;
  lines.push(`  ${title} (${found.length}):`, ...found.map((entry) => `    ${entry}`));
};
const counted = (entries: Map<string, number>) => [...entries].map(([what, count]) => `${count} × ${what}`);

const requests = await compareRequests(all);
lines.push(
  `Requests: ${requests.equal} of ${requests.requests} that the 45 actions make have only recorded fields, with recorded types`,
);
list('routes that no recording has', counted(requests.unrecordedRoutes));
list('fields that no recording sends there', requests.unrecordedFields);
list('WRONG: another type than recorded', requests.otherTypes);

const answers = compareAnswers(all);
lines.push(`Answers: ${answers.read} read, ${answers.values} values compared`);
lines.push(`  ${answers.otherVersions} of API versions that are not spoken`);
list('routes that the actions do not use', counted(answers.otherRoutes));
list('WRONG: not read', answers.unreadable);
list('WRONG: lost on the way to a model', counted(answers.lost));

const blocks = await roundTrip(all);
lines.push(
  `Blocks: ${blocks.same} of ${blocks.blocks} recorded blocks of creatable types are the same after read, clean, append, read`,
);
list('by type', counted(blocks.byType));
list('not tried', counted(blocks.untried));
list('WRONG: different', blocks.different);
const lost = await loseAnswers(all);
lines.push(
  `Lost answers: ${lost.once} of ${lost.writes} writes of ${lost.texts} recorded rich texts were made once, though their answer was lost`,
);
list('kinds of rich text', counted(lost.byKind));
list('WRONG', lost.wrong);
process.stdout.write(`${lines.join('\n')}\n`);
const wrong =
  requests.otherTypes.size +
  answers.unreadable.length +
  answers.lost.size +
  blocks.different.length +
  lost.wrong.length;
process.exitCode = wrong === 0 ? 0 : 1;
