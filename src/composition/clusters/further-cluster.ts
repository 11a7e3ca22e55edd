import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../connection/exchange.ts';
import { PrefixedExchange } from '../../connection/prefixed-exchange.ts';
import { Faults } from '../../faults/faults.ts';
import { jsonText } from '../../handlers/response/answer.ts';
import { furtherCertificates, type GeneratedCertificates } from '../../pki/generated-certificates.ts';
import { storageTypeOf } from '../../resources/storage-type.ts';
import { type ApiError, errors } from '../../status/index.ts';
import { MeasuredStorage } from '../../storage/measured-storage.ts';
import type { ByteBudget } from '../../storage/memory/byte-budget.ts';
import type { MemoryStorage } from '../../storage/memory/memory-storage.ts';
import type { AdjustableClock } from '../../time/adjustable-clock.ts';
import { processClock } from '../../time/clock.ts';
import { Cluster } from '../cluster.ts';
import { openMetrics } from '../metrics-options.ts';
import { Parts } from '../parts.ts';
import { RequestGate } from '../request-gate.ts';
import { ServerTermination } from '../server-termination.ts';
import { serviceAccountKeysOf } from '../service-account-keys.ts';
import type { Server } from '../start/open-server.ts';
import type { Store } from '../start/open-store.ts';
import type { FurtherCluster as Identity, StartContext } from '../start/start-context.ts';
import { ClusterConnections } from './cluster-connections.ts';
import { CLUSTERS_PATH } from './cluster-path.ts';
import { ClusterTime } from './cluster-time.ts';
import { NEVER_DUE } from './frozen-fork.ts';

/** Bytes of superseded values and tombstones that a further cluster keeps, for watches that resume. */
const HISTORY_BYTES = 16 << 20;
/** Bytes of an administrator's token: enough that it cannot be guessed. */
const TOKEN_BYTES = 32;

/** Where the state of a cluster comes from. */
export interface ClusterOrigin {
  /** The configuration, and what was read from the options, which clusters of a minor version share. */
  readonly start: StartContext;
  /** The state with which the cluster begins, and to which it is reset. It does not change. */
  readonly state: MemoryStorage;
  /** See {@link Identity.isSettled}. */
  readonly isSettled: boolean;
  readonly isPrepared: boolean;
  readonly clock: AdjustableClock;
  /** The bytes that all further clusters of the server may take. */
  readonly budget: ByteBudget;
  /** The cluster shows the state and refuses changes. */
  readonly isReadOnly?: boolean;
  /** See {@link FurtherCluster.parent}. */
  readonly parent?: string;
}

/** Methods that change nothing. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A cluster that is not the first one of its server. */
export class FurtherCluster {
  readonly name: string;
  readonly pathPrefix: string;
  /** `https://host:port/clusters/NAME` */
  readonly url: string;
  /** PEM that verifies the serving certificate. */
  readonly caBundle: string;
  /** Name of the cluster that it was forked from; undefined for the first one and for a template. */
  readonly parent: string | undefined;
  /** A bearer token of the administrator, valid in this cluster alone. */
  readonly token = randomBytes(TOKEN_BYTES).toString('hex');
  readonly clock: AdjustableClock;
  readonly time: ClusterTime;
  readonly origin: ClusterOrigin;
  readonly certificates: GeneratedCertificates;
  readonly memory: MemoryStorage;
  /** Undefined where the server has none. */
  readonly faults: Faults | undefined;
  readonly #connections = new ClusterConnections();
  readonly #gate = new RequestGate();
  readonly #parts: Parts;
  readonly #cluster: Cluster;
  #isStopped = false;

  private constructor(name: string, origin: ClusterOrigin, server: Server, metrics: Server['metrics']) {
    this.name = name;
    this.origin = origin;
    this.faults = origin.start.faults && new Faults();
    this.parent = origin.parent;
    this.caBundle = server.tls.caBundle;
    this.pathPrefix = `${CLUSTERS_PATH}/${name}`;
    this.url = server.url + this.pathPrefix;
    this.clock = origin.clock.copy();
    this.certificates = furtherCertificates(server.tls.generated, () => new Date(processClock.now()));
    this.time = new ClusterTime(this.clock, () => this.quiescent());
    this.memory = origin.state.fork({
      // Nothing expires in a past state.
      clusterClock: origin.isReadOnly ? NEVER_DUE : this.clock,
      maximumHistoryBytes: HISTORY_BYTES,
      budget: origin.budget,
    });
    const { configuration } = origin.start;
    const issuers = configuration.serviceAccountIssuers.map((issuer) => issuer + this.pathPrefix);
    const logger = origin.start.logger.child('cluster', { cluster: name });
    this.#parts = new Parts(logger);
    const start: StartContext = {
      ...origin.start,
      configuration: {
        ...configuration,
        serviceAccountIssuers: issuers,
        apiAudiences: configuration.values.apiAudiences.length > 0 ? configuration.apiAudiences : issuers,
      },
      logger,
      clusterClock: this.clock,
      parts: this.#parts,
      termination: new ServerTermination(),
      lifecycle: { draining: false, rejecting: false, restarting: false },
      faults: this.faults,
      further: {
        name,
        pathPrefix: this.pathPrefix,
        isPrepared: origin.isPrepared,
        isSettled: origin.isSettled,
        isReadOnly: origin.isReadOnly === true,
      },
    };
    this.#cluster = new Cluster({
      start,
      server: this.#serverOf(server, metrics),
      store: storeOf(this.memory, metrics),
      gate: this.#gate,
    });
  }

  /** Opens a cluster with the state of its origin; resolves once it accepts requests. */
  static async open(name: string, origin: ClusterOrigin, server: Server): Promise<FurtherCluster> {
    const { configuration } = origin.start;
    const metrics = await openMetrics(configuration.values, configuration.scheme);
    const cluster = new FurtherCluster(name, origin, server, metrics);
    try {
      await cluster.#cluster.open();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Handles a request whose path begins with {@link pathPrefix}. */
  handle(exchange: Exchange): void {
    this.handleInside(new PrefixedExchange(exchange, this.pathPrefix));
  }

  /** Handles a request whose path has no prefix. */
  handleInside(exchange: Exchange): void {
    this.#connections.count(exchange);
    if (this.#isStopped) refuse(exchange, errors.serviceUnavailable('the cluster has ended'));
    else if (this.origin.isReadOnly === true && !READING.has(exchange.method))
      refuse(exchange, errors.methodNotAllowed('the cluster shows a past state and cannot be changed'));
    else this.#gate.handle(exchange);
  }

  /** Resolves when the cluster does nothing of its own accord. */
  quiescent(): Promise<void> {
    return this.#cluster.quiescent();
  }

  /** See {@link Cluster.isSettled}; a cluster with timers has something to do later. */
  get isSettled(): boolean {
    return this.#cluster.isSettled && this.clock.untilNextTimer === undefined;
  }

  /**
   * Takes the state of the origin again, under a revision above all that were handed out. Watches end with 410.
   * Resolves when the cluster serves that state.
   */
  async reset(): Promise<void> {
    await this.memory.replaceBy(this.origin.state);
    await this.#cluster.restarted();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#cluster.stop();
    await this.#parts.stop();
    await this.memory.close();
  }

  #serverOf(server: Server, metrics: Server['metrics']): Server {
    return {
      ...server,
      metrics,
      tls: { ...server.tls, generated: this.certificates },
      administratorToken: this.token,
      accountKeys: serviceAccountKeysOf(this.origin.start.configuration),
      listener: this.#connections,
      url: this.url,
      // Profiles are those of the process.
      debug: { listed: [], unlisted: [] },
      clusterPaths: [],
    };
  }
}

/** Answers a request with an error before a request chain has it. */
export const refuse = (exchange: Exchange, error: ApiError): void =>
  exchange.respond(error.code, 'application/json', `${jsonText(error.toStatus())}\n`);

/** A store in memory is not encrypted, and its data are nobody else's. */
function storeOf(memory: MemoryStorage, metrics: Server['metrics']): Store {
  const measured = new MeasuredStorage(memory, metrics, storageTypeOf);
  return {
    storage: measured,
    unencrypted: measured,
    measured,
    memory,
    encrypted: { storage: measured, checks: [], waitForKeys: () => Promise.resolve(), stop: () => undefined },
  };
}
