import { resolve } from 'node:path';
import { once } from './collections/once.ts';
import { readAdmissionSettings } from './composition/admission-configuration.ts';
import { readAuthorizerConfiguration } from './composition/authorization.ts';
import { awaitReady } from './composition/await-ready.ts';
import { Cluster } from './composition/cluster.ts';
import type { ClusterSet } from './composition/clusters/cluster-set.ts';
import { FirstCluster } from './composition/clusters/first-cluster.ts';
import { configureServer } from './composition/configure-server.ts';
import { selectedControllers } from './composition/controllers.ts';
import { readEncryption } from './composition/encryption.ts';
import { openLog } from './composition/logging.ts';
import { Parts } from './composition/parts.ts';
import { withWrittenRelease } from './composition/release/written-release.ts';
import { RequestGate } from './composition/request-gate.ts';
import { ServerTermination } from './composition/server-termination.ts';
import { readSimulation } from './composition/simulation-settings.ts';
import { openInstruments } from './composition/start/open-instruments.ts';
import { type ClusterPaths, openServer } from './composition/start/open-server.ts';
import { openStore } from './composition/start/open-store.ts';
import type { StartContext } from './composition/start/start-context.ts';
import type { ExchangeHandler } from './connection/exchange.ts';
import { Faults } from './faults/faults.ts';
import { kubeconfigText, writeKubeconfig } from './kubeconfig/write-kubeconfig.ts';
import { DEFAULT_MINOR } from './model/scheme.ts';
import { checkDocuments } from './options/documents/check.ts';
import type { OptionSlice } from './options/flags/table.ts';
import { requireLog, requireObject } from './options/given-options.ts';
import { loadRelease } from './options/kubernetes-version.ts';
import type { ServerOptions } from './options/options.ts';
import { PRODUCT_VERSION } from './options/version.ts';
import { clearReadyFile, writeReadyFile } from './start-contract/ready-file.ts';
import { plainVersion, type ReadyLine } from './start-contract/ready-line.ts';
import { AdjustableClock } from './time/adjustable-clock.ts';
import { holdingClock, processClock } from './time/clock.ts';
import { yieldToEventLoop } from './time/event-loop.ts';
import { pause } from './time/pause.ts';

/** A running server. */
export interface RunningServer {
  /** `https://host:port` for local clients. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** Undefined for storage in memory. */
  readonly dataDirectory: string | undefined;
  /**
   * Path of the administrator's kubeconfig; undefined if none was written: in memory without `kubeconfigOut`, and
   * with an empty one.
   */
  readonly kubeconfigFile: string | undefined;
  /** Content of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** PEM of the CA that signed the serving certificate. */
  readonly caBundle: string;
  /** How other programs reach the server: the line of `docs/start-contract.md`. */
  readonly readyLine: ReadyLine;
  /** Handles a request without a socket. */
  readonly handle: ExchangeHandler;
  /** Drains and stops; later calls wait for the first one. The reason is logged. */
  stop(reason?: string): Promise<void>;
  /** Lets the process exit while the server runs, like `unref` of a `net.Server`. */
  unref(): void;
  /** Resolves when the server has stopped; rejects if an error stopped it. */
  readonly closed: Promise<void>;
}

/** The options that the server reads itself. */
type LifecycleOptions = OptionSlice<
  | 'bindAddress'
  | 'clusters'
  | 'dataDir'
  | 'ephemeral'
  | 'faults'
  | 'faultsFile'
  | 'faultsOnAnyAddress'
  | 'readyFile'
  | 'shutdownDelayDuration'
>;

/** Longest time until an ephemeral server must be ready, in milliseconds. Nothing that it needs comes later. */
const EPHEMERAL_READY_MILLISECONDS = 60_000;

/** The interface of a server to the program that runs it. */
export interface ServerEnvironment {
  /**
   * Receives each log line with its line feed; the default is the standard error. `--logging-format` and
   * `--v` control format and level. Must not throw.
   */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Starts all parts of a server in order; resolves once requests are accepted. If a part fails to start, the
 * previous ones are stopped.
 * @throws ConfigurationError, DataDirectoryError in one line
 */
export const startServer = (
  options: ServerOptions = {},
  environment: ServerEnvironment = {},
): Promise<RunningServer> => startClusterAt(new AdjustableClock(processClock), options, environment);

/** What programs of this repository may add to a server besides its options. */
export interface ClusterExtras {
  /** Its clusters have faults, also without `--faults`. */
  readonly hasFaults?: boolean;
  /** Bytes that all further clusters may take together; default: see {@link ClusterSet}. */
  readonly mostClusterBytes?: number;
}

/** A server with what programs of this repository do with it besides. */
export interface StartedServer extends RunningServer {
  /** The first cluster; the first call decides to which state it is reset. */
  readonly first: () => FirstCluster;
  /** Opens the further clusters of the server; later calls return the same set. */
  openClusters(): Promise<ClusterSet>;
}

/** {@link startServer} with the clock of the cluster. */
export async function startClusterAt(
  clusterClock: AdjustableClock,
  given: ServerOptions,
  environment: ServerEnvironment = {},
  { hasFaults = false, mostClusterBytes }: ClusterExtras = {},
): Promise<StartedServer> {
  requireObject(given, 'the options of a server');
  requireObject(environment, 'the environment of a server');
  const { log } = environment;
  requireLog(log);
  const options = await withWrittenRelease(given);
  await loadRelease(options);
  const configuration = configureServer(options);
  const values: LifecycleOptions = configuration.values;
  if (values.readyFile !== '') clearReadyFile(values.readyFile);
  const selected = selectedControllers(configuration);
  await checkDocuments(configuration.values);
  const authorizers = await readAuthorizerConfiguration(configuration);
  const admission = await readAdmissionSettings(configuration);
  const encryption = await readEncryption(configuration);
  const simulation = await readSimulation(configuration);
  const faults = hasFaults || values.faults ? new Faults() : undefined;
  if (values.faultsFile !== '') await addFaultsOfFile(faults, values.faultsFile);
  const serverLog = openLog(configuration.values, log);
  const { logger } = serverLog;
  for (const warning of configuration.warnings) logger.warn(warning);
  if (given.kubernetesVersion === undefined && configuration.scheme.minor !== DEFAULT_MINOR)
    logger.info('serving the Kubernetes version under which the data were written', {
      version: configuration.scheme.minor,
    });
  if (values.faultsOnAnyAddress)
    logger.warn('faults are permitted on an address that other machines may reach', {
      address: values.bindAddress,
    });

  const parts = new Parts(logger);
  const termination = new ServerTermination();
  const lifecycle = { draining: false, rejecting: false, restarting: false };
  try {
    const first: StartContext = {
      configuration,
      selected,
      authorizers,
      admission,
      encryption,
      simulation,
      logger,
      clusterClock,
      parts,
      termination,
      lifecycle,
      verbosity: serverLog.verbosity,
      faults,
    };
    const running = await startParts(options, clusterClock, first, mostClusterBytes);
    return {
      ...running,
      closed: termination.closed,
      stop: (reason = 'requested') => termination.stop(() => stopServer(reason)),
    };
  } catch (error) {
    await parts.stop();
    serverLog.close();
    throw error;
  }

  async function stopServer(reason: string): Promise<void> {
    logger.info('stopping', { reason });
    lifecycle.draining = true;
    if (values.shutdownDelayDuration > 0) await pause(values.shutdownDelayDuration, holdingClock);
    await parts.stop();
    serverLog.close();
  }
}

/**
 * Starts the parts in the order of these phases; they stop in reverse order.
 */
async function startParts(
  options: ServerOptions,
  clock: AdjustableClock,
  start: StartContext,
  mostClusterBytes: number | undefined,
): Promise<Omit<StartedServer, 'stop' | 'closed'>> {
  const { configuration, parts } = start;
  const gate = new RequestGate();
  let handle: ExchangeHandler = gate.handle;
  const instruments = await openInstruments(start);
  const store = await openStore(start, instruments);
  const values: LifecycleOptions = configuration.values;
  const opened = await openServer(start, instruments, (exchange) => handle(exchange));
  const testPaths = [
    ...(values.clusters ? await pathsOfClusters() : []),
    ...(values.faults && start.faults !== undefined ? await pathsOfFaults(start.faults) : []),
  ];
  const server = testPaths.length > 0 ? { ...opened, clusterPaths: testPaths } : opened;
  const cluster = new Cluster({ start, server, store, gate });
  await parts.use(
    'cluster',
    () => cluster,
    (started) => started.stop(),
  );
  await cluster.open();
  const first = once(() => new FirstCluster(cluster, store, clock, start.faults));
  const openClusters = once(() =>
    parts.use(
      'further clusters',
      async () => {
        const { ClusterSet } = await import('./composition/clusters/cluster-set.ts');
        const clusters = new ClusterSet({
          ...{ options, start, server, first: first(), handle: gate.handle },
          mostBytes: mostClusterBytes,
        });
        handle = clusters.handle;
        return clusters;
      },
      (started) => started.stop(),
    ),
  );
  const { tls, listener, port, url } = server;
  const kubeconfig = { server: url, caBundle: tls.caBundle, client: tls.generated.admin };
  const { kubeconfigFile } = configuration;
  if (kubeconfigFile !== undefined) writeKubeconfig(kubeconfigFile, kubeconfig);
  if (values.clusters) await openClusters();
  if (values.ephemeral || values.readyFile !== '')
    await awaitReady({
      failing: () => cluster.failing(),
      limit: values.ephemeral ? EPHEMERAL_READY_MILLISECONDS : Number.POSITIVE_INFINITY,
      clock: holdingClock,
      logger: start.logger,
    });
  // Signals, and the end of the standard input, during a start that never waited are handled before anyone is told that
  // the server is ready: in the turn of the loop that has begun, or in the next one.
  await yieldToEventLoop();
  await yieldToEventLoop();
  const readyLine: ReadyLine = {
    binnacle: PRODUCT_VERSION,
    url,
    ...(kubeconfigFile === undefined ? {} : { kubeconfig: resolve(kubeconfigFile) }),
    ca: tls.caBundle,
    version: plainVersion(configuration.scheme.release.gitVersion),
    pid: process.pid,
    ...(server.administratorToken === undefined ? {} : { token: server.administratorToken }),
  };
  if (values.readyFile !== '')
    await parts.use(
      'ready file',
      () => writeReadyFile(values.readyFile, readyLine),
      (remove) => remove(),
    );
  return {
    url,
    port,
    address: values.bindAddress,
    dataDirectory: configuration.storageBackend === 'memory' ? undefined : values.dataDir,
    kubeconfigFile,
    kubeconfig: kubeconfigText(kubeconfig),
    caBundle: tls.caBundle,
    readyLine,
    handle: (exchange) => handle(exchange),
    first,
    openClusters,
    unref: () => listener.unref(),
  };

  async function pathsOfClusters(): Promise<ClusterPaths> {
    const { ClustersOverHttp } = await import('./composition/clusters/served-clusters.ts');
    const { clusterPaths } = await import('./handlers/endpoints/clusters.ts');
    const serve = once(async () => new ClustersOverHttp(await openClusters(), first()));
    return clusterPaths(() => serve());
  }
}

async function pathsOfFaults(faults: Faults): Promise<ClusterPaths> {
  const { faultPaths } = await import('./handlers/endpoints/faults.ts');
  const { faultsOverHttp } = await import('./composition/clusters/served-faults.ts');
  return faultPaths(faultsOverHttp(faults));
}

/** @throws ConfigurationError */
async function addFaultsOfFile(faults: Faults | undefined, file: string): Promise<void> {
  const { readFaultsFile } = await import('./composition/clusters/served-faults.ts');
  for (const rule of await readFaultsFile(file)) faults?.add(rule);
}
