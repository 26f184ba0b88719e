/** Texts that take long to read where reading is not linear. */
import { maxPieces } from '../../../src/workspace/blocks/pieces.ts';
import type { Attack } from '../attack.ts';

const chars = 200_000;
/** Spaces before a letter; a marker without its partner; openings that nothing closes; as many blocks and styles as one
 *  call may make, and more. */
const hostile = [
  `a${' '.repeat(chars)}b`,
  `~${'`'.repeat(chars)}`,
  '~`'.repeat(chars / 2),
  '**a '.repeat(chars / 4),
  '['.repeat(chars),
  `${'| '.repeat(chars / 2)}\n| -`,
  `${'- a\n'.repeat(maxPieces / 2 - 100)}\n${'x'.repeat(chars / 2)}`,
  `${'~`'.repeat(maxPieces - 100)}${'x'.repeat(chars)}`,
  '- a\n'.repeat(chars / 4),
];

export const texts: readonly Attack[] = [
  {
    name: 'documents-text',
    what: 'A writes pages of 200,000 characters into its workspace, made to be slow to read, 2 a second',
    prepare: async (attacker) => {
      const body = { auth: 'API_KEY', api_key: attacker.target.docsToken };
      const { status } = await attacker.api.call('POST', '/tools/docs/connections', { body });
      if (status !== 201) throw new Error(`connecting the workspace: ${status}`);
    },
    run: async (attacker) => {
      await attacker.repeat(2, 10, async (number) => {
        const input = {
          ...{ title: 'A page', parent_id: attacker.target.docsPage },
          markdown: hostile[number % hostile.length],
        };
        await attacker.call('POST', '/tools/docs/actions/DOCS_CREATE_DOCS_PAGE', { body: { input } });
      });
    },
    plant: {
      edits: [
        [
          'src/workspace/markdown/lines.ts',
          "trimEndOf(text, ' \\t\\r');",
          "text.replace(/[ \\t\\r]+$/, '');",
        ],
      ],
    },
  },
];
