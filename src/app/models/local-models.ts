/** Starts the small model of local mode, and finds model servers on this computer. */
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database } from '../../adapters/postgres/database.ts';
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import { findServers } from '../../adapters/models/found-servers.ts';
import { PublicError } from '../../contract/errors.ts';
import {
  localProvider,
  unavailableModel,
  type LocalModel,
  type ModelServers,
} from '../../contract/models/local-model.ts';
import { Limiter } from '../../limits/limiter.ts';

/** The model that the supervisor of local mode runs. `start` resolves once the supervisor has answered. */
interface Supervised {
  view: () => LocalModel;
  start: () => Promise<void>;
}

export interface LocalModelParts {
  db: Database;
  /** Undefined outside of local mode. */
  supervised: Supervised | undefined;
  /** HTTP client for requests to model servers. */
  http: PublicHttp;
}

export type LocalModels = ReturnType<typeof createLocalModels>;

export function createLocalModels({ db, supervised, http }: LocalModelParts) {
  /** Limits the searches for model servers in progress, in total and per organization. Chosen. */
  const searches = new Limiter({ max: 4, maxPerOwner: 2 });
  return { view, start, servers };

  /** Returns the state of the model; `unavailableModel` outside of local mode. */
  function view(): LocalModel {
    return supervised?.view() ?? unavailableModel;
  }

  /**
   * Starts the model, and downloads the missing files that it needs. If the model runs or is starting, only returns
   * its state.
   * @throws PublicError invalid_state outside of local mode
   */
  async function start(actor: OrganizationActor): Promise<LocalModel> {
    if (supervised === undefined) {
      const sentence = 'Only a Parley that npm start runs on your own computer can run a model.';
      throw new PublicError('invalid_state', { sentence });
    }
    const { state } = supervised.view();
    if (state !== 'off' && state !== 'failed') return supervised.view();
    await inTransaction(db, (tx) => recordAudit(tx, actor, 'local_model_started', localProvider));
    await supervised.start();
    return supervised.view();
  }

  /**
   * Finds model servers on this computer. Outside of local mode, sends no requests and returns none.
   * @throws PublicError rate_limited if too many searches are in progress
   */
  async function servers(organizationId: string): Promise<ModelServers> {
    if (supervised === undefined) return { offered: false, data: [] };
    const data = await searches.tryUse(
      organizationId,
      () => findServers(http, organizationId),
      () => new PublicError('rate_limited'),
    );
    return { offered: true, data };
  }
}
