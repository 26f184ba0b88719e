/** Starts and stops the workspace emulator: an HTTP server that answers as the Notion API does. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { Faults } from './faults.ts';
import { newObjectId } from './ids.ts';
import type { OAuthClient } from './oauth.ts';
import { outline } from './outline.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { RequestRecord } from './requests.ts';
import { addBot, seed, seedIds, seedTokens, type SeedIds, type Tokens } from './seed.ts';
import { requestListener } from './server.ts';
import { emptyState, type Capability, type State } from './state.ts';
import { defaultSettings, type Settings, type World } from './world.ts';

export interface EmulatorOptions {
  /** Default 0: any free port. */
  port?: number;
  now?: () => number;
  newId?: () => string;
  oauthClients?: OAuthClient[];
  settings?: Partial<Settings>;
}

export interface WorkspaceEmulator {
  /** `http://127.0.0.1:PORT`, without `/v1`: what `DOCS_API_URL` and the SDK's `baseUrl` take. */
  readonly url: string;
  readonly tokens: Tokens;
  readonly ids: SeedIds;
  readonly oauth: OAuthClient;
  readonly faults: Faults;
  readonly requests: RequestRecord[];
  readonly settings: Settings;
  /** Requests of this method whose path equals or matches. */
  count(method: string, path: string | RegExp): number;
  /** Another internal connection; without `shared` it sees nothing. */
  addConnection(options: {
    name?: string;
    workspace?: string;
    capabilities?: Capability[];
    shared?: string[];
  }): {
    token: string;
    bot: string;
  };
  share(token: string, id: string): void;
  unshare(token: string, id: string): void;
  /** Makes a token unknown, as revoking or expiring does. */
  forgetToken(token: string): void;
  addTemplate(dataSourceId: string, name: string, isDefault?: boolean): string;
  /** Moves the clock forward. */
  advance(ms: number): void;
  /**
   * Lists what is below a page or block: one line per block, `type: text`, children behind two spaces. Trash is left
   * out.
   */
  outline(id: string): string[];
  snapshot(): State;
  restore(snapshot: State): void;
  /** Back to the seed: no faults, no recorded requests, the settings and the clock of the start. */
  reset(): void;
  /** Posts the form of the authorize page; returns the address that the browser is sent to. */
  decide(
    authorizeUrl: string,
    decision: 'approve' | 'deny',
    choice?: { pages?: string[]; person?: string },
  ): Promise<string>;
  stop(): Promise<void>;
}

export const defaultClient: OAuthClient = {
  clientId: 'emulator-client',
  clientSecret: 'emulator-client-secret',
  redirectUris: ['http://127.0.0.1:3000/v1/tools/docs/oauth/callback'],
  name: 'Parley',
};

export async function startWorkspaceEmulator(options: EmulatorOptions = {}): Promise<WorkspaceEmulator> {
  let offset = 0;
  const base = options.now ?? Date.now;
  const clients = options.oauthClients ?? [defaultClient];
  const world: World = {
    state: emptyState(),
    settings: { ...defaultSettings, ...options.settings },
    now: () => base() + offset,
    newId: options.newId ?? newObjectId,
    url: '',
  };
  seed(world.state, world.now());
  const faults = new Faults();
  const requests: RequestRecord[] = [];
  const limiter = new RateLimiter();
  const server = createServer(requestListener({ world, clients, faults, requests, limiter }));
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  world.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const botOf = (token: string) => {
    const bot = world.state.bots.get(world.state.tokens.get(token) ?? '');
    if (bot === undefined) throw new Error('This token is unknown to the emulator.');
    return bot;
  };
  return {
    url: world.url,
    tokens: seedTokens,
    ids: seedIds,
    oauth: clients[0] ?? defaultClient,
    faults,
    requests,
    settings: world.settings,
    count: (method, path) =>
      requests.filter((each) => each.method === method && fits(each.path, path)).length,
    addConnection: (wanted) => {
      const token = `ntn_${randomBytes(23).toString('hex')}`;
      const { name = 'Added connection', workspace = seedIds.workspace, shared = [], capabilities } = wanted;
      const connection = { name, workspace, shared, ...(capabilities === undefined ? {} : { capabilities }) };
      return { token, bot: addBot(world.state, connection, [token]) };
    },
    share: (token, id) => void botOf(token).shared.push(id),
    unshare: (token, id) => {
      const bot = botOf(token);
      bot.shared = bot.shared.filter((each) => each !== id);
    },
    forgetToken: (token) => void world.state.tokens.delete(token),
    addTemplate: (dataSourceId, name, isDefault = false) => {
      const source = world.state.entities.get(dataSourceId);
      if (source?.kind !== 'data_source') throw new Error(`${dataSourceId} is not a data source.`);
      const id = world.newId();
      source.templates.push({ id, name, is_default: isDefault });
      return id;
    },
    advance: (ms) => void (offset += ms),
    outline: (id) => outline(world, id),
    snapshot: () => structuredClone(world.state),
    restore: (snapshot) => void (world.state = structuredClone(snapshot)),
    reset: () => {
      offset = 0;
      limiter.clear();
      world.state = emptyState();
      seed(world.state, world.now());
      Object.assign(world.settings, defaultSettings, options.settings);
      faults.clear();
      requests.length = 0;
    },
    decide: async (address, decision, choice = {}) => {
      const fields = new URLSearchParams(new URL(address).search);
      fields.set('decision', decision);
      if (choice.person !== undefined) fields.set('person', choice.person);
      for (const page of choice.pages ?? [seedIds.home]) fields.append('page', page);
      const answer = await fetch(`${world.url}/v1/oauth/authorize`, {
        method: 'POST',
        body: fields,
        redirect: 'manual',
      });
      const location = answer.headers.get('location');
      if (location === null)
        throw new Error(`The authorize page answered ${answer.status}: ${await answer.text()}`);
      return location;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fits(path: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? path === wanted : wanted.test(path);
}
