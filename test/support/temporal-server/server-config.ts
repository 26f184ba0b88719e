/** The configuration file of Temporal's server: one process, Postgres, everything on loopback. */
import { stringify } from 'yaml';

const historyShards = 16;

/** @param options.ports eight: two for each service, the frontend's first */
export function serverConfig(options: { postgres: URL; ports: readonly number[]; dynamic: string }): string {
  const { postgres, ports, dynamic } = options;
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: postgres.host,
      connectProtocol: 'tcp',
      user: postgres.username,
      password: postgres.password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const service = (index: number) => ({
    rpc: { grpcPort: ports[2 * index], membershipPort: ports[2 * index + 1], bindOnLocalHost: true },
  });
  return stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: { frontend: service(0), matching: service(1), history: service(2), worker: service(3) },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports[0]}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '60s' },
  });
}
