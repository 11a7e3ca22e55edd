import { createHealth, type HealthCheck } from '../handlers/endpoints/health.ts';
import { metricsHandler } from '../handlers/endpoints/metrics.ts';
import type { Life } from '../model/life.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { FeatureGates } from '../options/feature-gates.ts';
import type { Handler } from '../request/context.ts';
import { type HealthPurpose, OutOfSpaceError, type Storage } from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';
import { StartupChecks, type StartupPhase } from './startup-checks.ts';

export interface ServerHealthOptions {
  readonly metrics: ServerMetrics;
  readonly storage: Storage;
  readonly lifecycle: { readonly draining: boolean };
  readonly livezGracePeriod: number;
  readonly profiling: boolean;
  /** `--enable-priority-and-fairness` */
  readonly priorityAndFairness: boolean;
  /** Cluster addresses are allocated from ServiceCIDRs. */
  readonly serviceRanges: boolean;
  /** `--proxy-client-cert-file` is set. */
  readonly proxyCertificate: boolean;
  readonly gates: Pick<FeatureGates, 'enabled'>;
  readonly scheme: Pick<Scheme, 'has'>;
  readonly logger: Logger;
}

/** A cache whose `ready` returns a promise while it is being filled. */
interface FilledCache {
  ready(): void | Promise<void>;
}

/** Starts to fill a cache that is not filled. */
function isFilled(cache: FilledCache): boolean {
  const filling = cache.ready();
  // A failure is that of the reads that need the cache; the next check tries again.
  if (filling instanceof Promise) filling.catch(() => undefined);
  return filling === undefined;
}

const OWN_PATHS = new Set(['/healthz', '/livez', '/readyz', '/metrics', '/metrics/slis']);

/** The releases that check the certificate of connections to themselves. */
const HAS_LOOPBACK: Life = { since: '1.36' };

/** Connections of this server to itself are inside the process: they have no certificate that expires. */
const LOOPBACK: HealthCheck = {
  name: 'loopback-serving-certificate',
  endpoints: ['healthz', 'livez'],
  check: () => undefined,
};

/** Health checks and metrics of one server. */
export class ServerHealth {
  readonly #options: ServerHealthOptions;
  readonly #startup: StartupChecks;
  #caches: readonly FilledCache[] = [];
  #full = false;
  readonly #added: HealthCheck[] = [];

  constructor(options: ServerHealthOptions) {
    this.#options = options;
    this.#startup = new StartupChecks({
      fairness: options.priorityAndFairness,
      serviceRanges: options.serviceRanges,
      proxyCertificate: options.proxyCertificate,
      peers: options.gates.enabled('UnknownVersionInteroperabilityProxy'),
      awaitsCaches: options.gates.enabled('WatchCacheInitializationPostStartHook'),
    });
  }

  /** Marks the end of bootstrap; the server is ready once these caches are filled. */
  markBootstrapped(caches: readonly FilledCache[]): void {
    this.#caches = caches;
    this.#startup.finish('bootstrap');
  }

  /** Adds checks, before {@link paths} is called. */
  add(...checks: readonly HealthCheck[]): void {
    this.#added.push(...checks);
  }

  /** Marks the end of a later startup phase. */
  finish(phase: Exclude<StartupPhase, 'bootstrap'>): void {
    this.#startup.finish(phase);
  }

  /** Handlers of `/healthz`, `/livez` and `/readyz` with the paths below them, and of metrics. */
  paths(): (readonly [path: string, handler: Handler])[] {
    const { metrics, livezGracePeriod, logger, profiling } = this.#options;
    const health = createHealth({
      checks: this.#checks(),
      livezGracePeriod,
      logger,
      now: processClock.monotonic,
      onResult: (endpoint, check, passed) => {
        metrics.healthcheck.with(check, endpoint).set(passed ? 1 : 0);
        metrics.healthchecks.with(check, endpoint, passed ? 'success' : 'error').add();
      },
    });
    return [
      ...health.paths,
      ['/metrics', metricsHandler(metrics.registry, profiling)],
      ['/metrics/slis', metricsHandler(metrics.indicators, profiling)],
    ];
  }

  /** The checks of `/readyz` that fail now, each as `name: reason`. */
  async failing(): Promise<string[]> {
    const failures: string[] = [];
    for (const { name, check, endpoints } of this.#checks()) {
      const error = endpoints === undefined || endpoints.includes('readyz') ? await check() : undefined;
      if (error !== undefined) failures.push(`${name}: ${error.message}`);
    }
    return failures;
  }

  /** Whether the path belongs to health or metrics. */
  isOwnPath(path: string): boolean {
    return OWN_PATHS.has(path);
  }

  /** A full disk does not fail the check: reads, and deletions that free space, still work. */
  async #storageHealth(purpose: HealthPurpose): Promise<Error | undefined> {
    const problem = await this.#options.storage.health(purpose);
    const full = problem instanceof OutOfSpaceError;
    if (full && !this.#full)
      this.#options.logger.warn('storage is full; rejecting writes', { err: problem.message });
    this.#full = full;
    return full ? undefined : problem;
  }

  #checks(): HealthCheck[] {
    const { lifecycle, scheme } = this.#options;
    const synced = () => this.#caches.map(isFilled).every((filled) => filled);
    return [
      { name: 'ping', check: () => undefined },
      {
        name: 'log',
        check: () => (process.stderr.destroyed ? new Error('the standard error is closed') : undefined),
      },
      ...(scheme.has(HAS_LOOPBACK) ? [LOOPBACK] : []),
      { name: 'etcd', check: () => this.#storageHealth('live') },
      { name: 'etcd-readiness', endpoints: ['readyz'], check: () => this.#storageHealth('ready') },
      {
        name: 'informer-sync',
        endpoints: ['readyz'],
        check: () => (synced() ? undefined : new Error('caches of the server are not filled')),
      },
      ...this.#startup.checks,
      ...this.#added,
      {
        name: 'shutdown',
        endpoints: ['readyz'],
        check: () => (lifecycle.draining ? new Error('process is shutting down') : undefined),
      },
    ];
  }
}
