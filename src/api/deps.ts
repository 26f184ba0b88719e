import type { Auth } from '../adapters/accounts/auth.ts';
import type { IdentityProviders } from '../adapters/accounts/identity-providers.ts';
import type { Config } from '../config.ts';
import type { Database, Transaction } from '../adapters/postgres/database.ts';
import type { FileLinks } from '../adapters/secrets/file-links.ts';
import type { RunAnswers } from '../adapters/postgres/conversations/run-answers.ts';
import type { RunStreams } from '../adapters/postgres/conversations/run-streams.ts';
import type { Logger } from '../log.ts';
import type { ChannelSteps } from '../app/whatsapp/channel-steps.ts';
import type { LocalModels } from '../app/models/local-models.ts';
import type { ModelProviders } from '../app/models/model-providers.ts';
import type { HealthChecks } from '../app/data/health.ts';
import type { MonthlyLimits } from '../adapters/postgres/data/usage.ts';
import type { Webhooks } from '../app/conversations/webhooks.ts';
import type { ConversationStarter } from '../app/conversations/accept-input.ts';
import type { DocsToolDefinition } from '../contract/workspace/actions.ts';
import type { ToolConnections } from '../app/workspace/connect-workspace.ts';
import type { ToolRunner } from '../app/workspace/run-tool.ts';
import type { HttpTools } from '../app/http-tools/http-tools.ts';
import type { McpServers } from '../app/mcp-servers/mcp-servers.ts';
import type { McpSignIns } from '../app/mcp-servers/sign-in.ts';
import type { RehearsalWorkflows } from '../adapters/temporal/rehearsal-workflows.ts';
import type { Mails } from './accounts/mails.ts';
import type { PasswordGuard } from './accounts/password-guard.ts';
import type { ResetRequests } from './accounts/reset-requests.ts';

/** The document actions, the workspace connections that they use, and the runner that executes them. */
export interface Tools {
  readonly definitions: readonly DocsToolDefinition[];
  readonly connections: ToolConnections;
  readonly runner: ToolRunner;
}

/** Dependencies of the handlers, created once per process in main-api.ts. */
export interface ApiDeps {
  readonly config: Config;
  readonly db: Database;
  readonly log: Logger;
  readonly conversations: ConversationStarter;
  readonly answers: RunAnswers;
  readonly streams: RunStreams;
  readonly monthlyLimits: MonthlyLimits;
  readonly health: HealthChecks;
  readonly channels: ChannelSteps;
  readonly tools: Tools;
  readonly rehearsals: RehearsalWorkflows;
  readonly httpTools: HttpTools;
  readonly mcpServers: McpServers;
  readonly mcpSignIns: McpSignIns;
  readonly fileLinks: FileLinks;
  readonly models: ModelProviders;
  readonly localModels: LocalModels;
  readonly webhooks: Webhooks;
  /** Names of all document actions, as an agent's `tools` name them. */
  readonly toolNames: ReadonlySet<string>;
  readonly auth: Auth;
  /** Returns `auth` bound to a transaction, so that its changes commit or roll back with the transaction. */
  readonly authIn: (tx: Transaction) => Auth;
  readonly passwords: PasswordGuard;
  readonly mails: Mails;
  readonly resetRequests: ResetRequests;
  readonly providers: IdentityProviders;
  /** Origin of the console: the origin of PUBLIC_URL or, if it is not set, one from HOST and PORT. */
  readonly origin: string;
}
