/**
 * The documentation's pages and their menu, in the order of a reader's tasks. If a page other than /docs is not in the
 * menu, the build fails.
 */
import { posix } from 'node:path';

/** Files whose address `addressOf` does not derive from their name, and their addresses. */
const besides: Readonly<Record<string, string>> = {
  'README.md': '/docs/readme',
  'docs/README.md': '/docs',
  'examples/README.md': '/docs/examples',
};

/** Patterns of the files that become pages, relative to the project's folder. */
export const pageFiles: readonly string[] = ['docs/*.md', 'README.md', 'examples/README.md'];

/** @returns the address of a page; undefined if the file is not one of the documentation's pages */
export function addressOf(file: string): string | undefined {
  const name = /^docs\/([\w-]+)\.md$/.exec(file)?.[1];
  return besides[file] ?? (name === undefined ? undefined : `/docs/${name.toLowerCase()}`);
}

/**
 * Resolves a link of a page.
 * @param from path of the page's file, relative to the project's folder
 * @returns the address to link to or, if the target is not served, its file in the repository
 */
export function resolveLink(target: string, from: string): { address: string } | { file: string } {
  if (/^https?:/.test(target) || target.startsWith('#')) return { address: target };
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(from), decodeURIComponent(path));
  const address = addressOf(file);
  if (address === undefined) return { file };
  return { address: anchor === undefined ? address : `${address}#${anchor}` };
}

interface MenuEntry {
  label: string;
  address: string;
}

export const menu: readonly { label: string; entries: readonly MenuEntry[] }[] = [
  {
    label: 'Answer a message',
    entries: [
      { label: 'Tutorial: refunds', address: '/docs/refunds' },
      { label: 'The API', address: '/docs/api' },
      { label: 'Send a message', address: '/docs/api#send-a-message' },
      { label: 'Models', address: '/docs/models' },
      { label: 'Tools', address: '/docs/tools' },
      { label: 'Workspace actions', address: '/docs/actions' },
      { label: 'Agents that run elsewhere', address: '/docs/external-agents' },
      { label: 'Rehearsals', address: '/docs/rehearsals' },
    ],
  },
  {
    label: 'Receive the answer',
    entries: [
      { label: 'Callbacks', address: '/docs/api#receive-callbacks' },
      { label: 'Read conversations', address: '/docs/api#read' },
      { label: 'WhatsApp', address: '/docs/channels' },
      { label: 'Examples and client', address: '/docs/examples' },
    ],
  },
  {
    label: 'Go live',
    entries: [
      { label: 'Deploy', address: '/docs/deploy' },
      { label: 'Settings', address: '/docs/settings' },
      { label: 'Security', address: '/docs/security' },
      { label: 'Permissions', address: '/docs/permissions' },
      { label: 'Errors', address: '/docs/api#errors' },
      { label: 'Limits', address: '/docs/api#limits' },
    ],
  },
  {
    label: 'Operate',
    entries: [
      { label: 'Incidents', address: '/docs/operators' },
      { label: 'Observability', address: '/docs/observability' },
      { label: 'Data', address: '/docs/data' },
      { label: 'Audit log', address: '/docs/audit' },
      { label: 'Reliability', address: '/docs/reliability' },
      { label: 'Performance', address: '/docs/performance' },
    ],
  },
  {
    label: 'Change Parley',
    entries: [
      { label: 'README', address: '/docs/readme' },
      { label: 'Contributing', address: '/docs/contributing' },
      { label: 'Architecture', address: '/docs/architecture' },
      { label: 'Change a workflow', address: '/docs/workflows' },
      { label: 'Recorded histories', address: '/docs/histories' },
    ],
  },
];

/**
 * @returns the menu's label of a page or a section; for a section that is not in the menu, its page's label; undefined
 * if the menu has neither
 */
export function labelOf(address: string): string | undefined {
  const entries = menu.flatMap((group) => group.entries);
  const [page] = address.split('#');
  return (
    entries.find((entry) => entry.address === address) ?? entries.find((entry) => entry.address === page)
  )?.label;
}
