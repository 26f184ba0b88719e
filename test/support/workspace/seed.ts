/** The content of every started emulator: two workspaces, their people, connections with tokens, and root pages. */
import { newRandomId } from './ids.ts';
import { allCapabilities } from './oauth.ts';
import type { Bot, Capability, Page, Person, State } from './state.ts';

/** Tokens of a started emulator; the first two belong to one connection. */
export interface Tokens {
  /** `ntn_…`, every capability, shares `home`. */
  main: string;
  /** `secret_…`, the older form, same connection. */
  legacy: string;
  /** Reads content only. */
  reader: string;
  /** Everything but user information. */
  noUsers: string;
  /** Everything but comments. */
  noComments: string;
  /** Another workspace, paid, shares `otherHome`. */
  other: string;
}

export interface SeedIds {
  workspace: string;
  otherWorkspace: string;
  /** Workspace-level page, shared with the connections of the first workspace. */
  home: string;
  /** Workspace-level page, shared with nobody. */
  secret: string;
  otherHome: string;
  person: string;
  member: string;
  guest: string;
  otherPerson: string;
  bot: string;
  otherBot: string;
}

export const seedTokens: Tokens = {
  main: 'ntn_emulator_main_token',
  legacy: 'secret_emulator_main_token',
  reader: 'ntn_emulator_reader_token',
  noUsers: 'ntn_emulator_no_users_token',
  noComments: 'ntn_emulator_no_comments_token',
  other: 'ntn_emulator_other_token',
};

/** Ids with other version nibbles than 4, as many real ones are. */
export const seedIds: SeedIds = {
  workspace: '231674b6-2cc1-46bc-b742-c5c9fe4b9c00',
  otherWorkspace: '231674b6-2cc1-46bc-b742-c5c9fe4b9c01',
  home: '38a9ce7b-60a4-8180-9ad3-000ba3a60001',
  secret: '38a9ce7b-60a4-8180-9ad3-000ba3a60002',
  otherHome: '38a9ce7b-60a4-8180-9ad3-000ba3a60003',
  person: 'a4f789cc-7bc8-4cf0-82b9-a8ba7d980001',
  member: 'a4f789cc-7bc8-4cf0-82b9-a8ba7d980002',
  guest: 'a4f789cc-7bc8-4cf0-82b9-a8ba7d980003',
  otherPerson: 'a4f789cc-7bc8-4cf0-82b9-a8ba7d980004',
  bot: '7775f3a3-893f-43fa-b625-460c61090001',
  otherBot: '7775f3a3-893f-43fa-b625-460c61090002',
};

export function seed(state: State, at: number): void {
  const ids = seedIds;
  state.workspaces.set(ids.workspace, {
    id: ids.workspace,
    name: 'Emulated workspace',
    uploadLimit: 5_242_880,
    paid: false,
  });
  state.workspaces.set(ids.otherWorkspace, {
    id: ids.otherWorkspace,
    name: 'Other workspace',
    uploadLimit: 5_368_709_120,
    paid: true,
  });
  addPerson(state, ids.person, ids.workspace, 'Workspace Owner', false);
  addPerson(state, ids.member, ids.workspace, 'Workspace Member', false);
  addPerson(state, ids.guest, ids.workspace, 'Workspace Guest', true);
  addPerson(state, ids.otherPerson, ids.otherWorkspace, 'Other Owner', false);
  addRoot(state, ids.home, ids.workspace, 'Home', ids.person, at);
  addRoot(state, ids.secret, ids.workspace, 'Not shared', ids.person, at);
  addRoot(state, ids.otherHome, ids.otherWorkspace, 'Other home', ids.otherPerson, at);
  const home = [ids.home];
  const without = (...gone: string[]) => allCapabilities.filter((each) => !gone.includes(each));
  addBot(state, { id: ids.bot, workspace: ids.workspace, name: 'Emulated connection', shared: home }, [
    seedTokens.main,
    seedTokens.legacy,
  ]);
  addBot(state, { workspace: ids.workspace, name: 'Reader', shared: home, capabilities: ['read_content'] }, [
    seedTokens.reader,
  ]);
  addBot(
    state,
    { workspace: ids.workspace, name: 'No users', shared: home, capabilities: without('read_users') },
    [seedTokens.noUsers],
  );
  const quiet = without('read_comments', 'insert_comments');
  addBot(state, { workspace: ids.workspace, name: 'No comments', shared: home, capabilities: quiet }, [
    seedTokens.noComments,
  ]);
  addBot(
    state,
    { id: ids.otherBot, workspace: ids.otherWorkspace, name: 'Other connection', shared: [ids.otherHome] },
    [seedTokens.other],
  );
}

function addPerson(state: State, id: string, workspace: string, name: string, guest: boolean): void {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const person: Person = { kind: 'person', id, workspace, name, email, guest };
  state.people.set(id, person);
}

function addRoot(state: State, id: string, workspace: string, title: string, by: string, at: number): void {
  const annotations = {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
  };
  const page: Page = {
    kind: 'page',
    id,
    workspace,
    createdAt: at,
    editedAt: at,
    createdBy: by,
    editedBy: by,
    inTrash: false,
    parent: { type: 'workspace' },
    values: { title: [{ type: 'text', text: { content: title, link: null }, annotations }] },
    icon: null,
    cover: null,
    locked: false,
    children: [],
    serial: 0,
  };
  state.entities.set(id, page);
}

export interface Connection {
  workspace: string;
  name: string;
  shared: string[];
  id?: string;
  capabilities?: Capability[];
}

/** An internal connection with its tokens; returns the bot user id. */
export function addBot(state: State, connection: Connection, tokens: string[]): string {
  const bot: Bot = {
    kind: 'bot',
    id: connection.id ?? newRandomId(),
    workspace: connection.workspace,
    name: connection.name,
    owner: null,
    client: null,
    capabilities: [...(connection.capabilities ?? allCapabilities)],
    shared: [...connection.shared],
  };
  state.bots.set(bot.id, bot);
  for (const token of tokens) state.tokens.set(token, bot.id);
  return bot.id;
}
