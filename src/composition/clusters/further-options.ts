import type { ServerOptions } from '../../options/options.ts';

/**
 * Options of the server that say who a client of the first cluster is, or what decides about it outside of the
 * cluster. A further cluster knows its own certificates and tokens alone: credentials of one cluster are none of
 * another.
 */
const OF_FIRST_CLUSTER: ReadonlySet<string> = new Set([
  'authenticationConfig',
  'authenticationTokenWebhookConfigFile',
  'authenticationTokenWebhookVersion',
  'authorizationConfig',
  'authorizationPolicyFile',
  'authorizationWebhookConfigFile',
  'clientCaFile',
  'clusterSigningCertFile',
  'clusterSigningKeyFile',
  'enableBootstrapTokenAuth',
  'oidcCaFile',
  'oidcClientId',
  'oidcGroupsClaim',
  'oidcGroupsPrefix',
  'oidcIssuerUrl',
  'oidcRequiredClaim',
  'oidcSigningAlgs',
  'oidcUsernameClaim',
  'oidcUsernamePrefix',
  'requestheaderAllowedNames',
  'requestheaderClientCaFile',
  'serviceAccountIssuer',
  'serviceAccountJwksUri',
  'serviceAccountKeyFile',
  'serviceAccountSigningKeyFile',
  'tlsPrivateKeyFile',
  'tlsCertFile',
  'tokenAuthFile',
  // What belongs to the process, or to data that last.
  'clusters',
  'dataDir',
  'ephemeral',
  'faults',
  'faultsFile',
  'faultsOnAnyAddress',
  'etcdServers',
  'kubeconfigOut',
  'printToken',
  'readyFile',
] satisfies readonly (keyof ServerOptions)[]);

/** Modes of authorization that decide by the objects of the cluster, or by nothing. */
const OWN_MODES: ReadonlySet<string> = new Set(['AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC']);

/** What the creator of a cluster may choose. */
export interface ClusterChoice {
  readonly kubernetesVersion?: string | undefined;
  readonly simulateNodes?: number | undefined;
}

/** The options of the further clusters of a server. */
export function furtherOptions(server: ServerOptions, choice: ClusterChoice = {}): ServerOptions {
  const kept = Object.entries(server).filter(([name]) => !OF_FIRST_CLUSTER.has(name));
  const options: ServerOptions = { ...Object.fromEntries(kept), storageBackend: 'memory' };
  if (server.authorizationMode !== undefined) {
    const modes = server.authorizationMode.filter((mode) => OWN_MODES.has(mode));
    options.authorizationMode = modes.length > 0 ? modes : ['RBAC'];
  }
  if (choice.kubernetesVersion !== undefined) {
    options.kubernetesVersion = choice.kubernetesVersion;
    delete options.emulatedVersion;
  }
  if (choice.simulateNodes !== undefined) {
    options.simulateNodes = choice.simulateNodes;
    delete options.simulationConfig;
  }
  return options;
}
