/** The state of the emulated workspaces. Plain data: `structuredClone` of it is a snapshot. */
import type { Json, JsonObject } from './json.ts';

export type Parent =
  { type: 'workspace' } | { type: 'page_id' | 'block_id' | 'database_id' | 'data_source_id'; id: string };

interface Stamped {
  id: string;
  workspace: string;
  createdAt: number;
  editedAt: number;
  createdBy: string;
  editedBy: string;
  inTrash: boolean;
}

export interface Block extends Stamped {
  kind: 'block';
  parent: Parent;
  type: string;
  content: JsonObject;
  children: string[];
}

export interface Page extends Stamped {
  kind: 'page';
  parent: Parent;
  /** By property id; computed properties are not kept. */
  values: Record<string, Json>;
  icon: Json;
  cover: Json;
  locked: boolean;
  /** Blocks, pages and databases in document order. */
  children: string[];
  /** The running number of a `unique_id` column. */
  serial: number;
}

export interface Database extends Stamped {
  kind: 'database';
  parent: Parent;
  title: Json[];
  description: Json[];
  icon: Json;
  cover: Json;
  inline: boolean;
  locked: boolean;
  sources: string[];
}

/** One column: `config` is under its type key in an answer. */
export interface Column {
  id: string;
  name: string;
  description: string | null;
  type: string;
  config: JsonObject;
}

export interface DataSource extends Stamped {
  kind: 'data_source';
  database: string;
  title: Json[];
  icon: Json;
  columns: Column[];
  rows: string[];
  templates: { id: string; name: string; is_default: boolean }[];
  lastSerial: number;
}

export type Entity = Block | Page | Database | DataSource;

export interface Comment {
  id: string;
  workspace: string;
  parent: { type: 'page_id' | 'block_id'; id: string };
  discussion: string;
  createdAt: number;
  createdBy: string;
  richText: Json[];
  displayName: JsonObject;
  resolved: boolean;
}

export interface Upload {
  id: string;
  workspace: string;
  bot: string;
  createdAt: number;
  editedAt: number;
  mode: 'single_part' | 'multi_part' | 'external_url';
  status: 'pending' | 'uploaded' | 'expired' | 'failed';
  filename: string | null;
  contentType: string | null;
  length: number | null;
  attached: boolean;
  parts: { total: number; sent: Record<string, number> } | null;
  /** An import of an external address that is not over. */
  importing: { url: string; endsAt: number } | null;
  importResult: Json;
  bytes: Uint8Array;
}

export interface Person {
  kind: 'person';
  id: string;
  workspace: string;
  name: string;
  email: string;
  guest: boolean;
}

export type Capability =
  'read_content' | 'insert_content' | 'update_content' | 'read_comments' | 'insert_comments' | 'read_users';

/** An integration's bot user: what a token stands for. */
export interface Bot {
  kind: 'bot';
  id: string;
  workspace: string;
  name: string;
  /** The authorising person of a public integration; null for an internal one. */
  owner: string | null;
  client: string | null;
  capabilities: Capability[];
  /** Pages and databases shared with it; what lies below is shared too. */
  shared: string[];
}

interface Workspace {
  id: string;
  name: string;
  uploadLimit: number;
  paid: boolean;
}

export interface AsyncTask {
  id: string;
  createdAt: number;
  polls: number;
  operation: string;
  result: JsonObject;
}

export interface State {
  workspaces: Map<string, Workspace>;
  people: Map<string, Person>;
  bots: Map<string, Bot>;
  tokens: Map<string, string>;
  entities: Map<string, Entity>;
  comments: Map<string, Comment>;
  uploads: Map<string, Upload>;
  tasks: Map<string, AsyncTask>;
  codes: Map<string, { bot: string; client: string; redirectUri: string | null; expiresAt: number }>;
  refreshTokens: Map<string, { bot: string; client: string; accessToken: string }>;
}

export function emptyState(): State {
  return {
    workspaces: new Map(),
    people: new Map(),
    bots: new Map(),
    tokens: new Map(),
    entities: new Map(),
    comments: new Map(),
    uploads: new Map(),
    tasks: new Map(),
    codes: new Map(),
    refreshTokens: new Map(),
  };
}
