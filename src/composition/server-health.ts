import { createHealth, type HealthCheck } from '../handlers/endpoints/health.ts';
import { metricsHandler } from '../handlers/endpoints/metrics.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Handler } from '../request/context.ts';
import { OutOfSpaceError, type Storage } from '../storage/storage.ts';
import { StartupChecks, type StartupPhase } from './startup-checks.ts';

export interface OperationOptions {
  readonly metrics: ServerMetrics;
  readonly storage: Storage;
  readonly lifecycle: { readonly draining: boolean };
  readonly livezGracePeriod: number;
  readonly profiling: boolean;
  /** `--enable-priority-and-fairness` */
  readonly priorityAndFairness: boolean;
  readonly logger: Logger;
}

/** A cache whose `ready` answers a promise while it is being filled. */
interface FilledCache {
  ready(): void | Promise<void>;
}

const OWN_PATHS = new Set(['/healthz', '/livez', '/readyz', '/metrics', '/metrics/slis']);

/** Health and metrics of one server: what an operator's tools ask for. */
export class ServerHealth {
  readonly #options: OperationOptions;
  readonly #startup: StartupChecks;
  #caches: readonly FilledCache[] = [];
  #full = false;

  constructor(options: OperationOptions) {
    this.#options = options;
    this.#startup = new StartupChecks(options.priorityAndFairness);
  }

  /** What the server needs is in its store, and in these caches. */
  markBootstrapped(caches: readonly FilledCache[]): void {
    this.#caches = caches;
    this.#startup.finish('bootstrap');
  }

  /** A further phase of the start is over. */
  finish(phase: Exclude<StartupPhase, 'bootstrap'>): void {
    this.#startup.finish(phase);
  }

  /** `/healthz`, `/livez`, `/readyz` with what is below them, and the metrics. */
  paths(): (readonly [path: string, handler: Handler])[] {
    const { metrics, livezGracePeriod, logger, profiling } = this.#options;
    const health = createHealth({
      checks: this.#checks(),
      livezGracePeriod,
      logger,
      now: () => performance.now(),
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

  /** Whether the path belongs to health or metrics, and not to the API. */
  isOwnPath(path: string): boolean {
    return OWN_PATHS.has(path);
  }

  /**
   * A full disk is no reason to start again or to be left out: reads, and the deletions that free space, go
   * on.
   */
  #storageHealth(): Error | undefined {
    const problem = this.#options.storage.health();
    const full = problem instanceof OutOfSpaceError;
    if (full && !this.#full) this.#options.logger.warn('writes are refused', { err: problem.message });
    this.#full = full;
    return full ? undefined : problem;
  }

  #checks(): HealthCheck[] {
    const { lifecycle } = this.#options;
    const synced = () => this.#caches.every((cache) => !(cache.ready() instanceof Promise));
    return [
      { name: 'ping', check: () => undefined },
      {
        name: 'log',
        check: () => (process.stderr.destroyed ? new Error('the standard error is closed') : undefined),
      },
      { name: 'etcd', check: () => this.#storageHealth() },
      { name: 'etcd-readiness', endpoints: ['readyz'], check: () => this.#storageHealth() },
      {
        name: 'informer-sync',
        endpoints: ['readyz'],
        check: () => (synced() ? undefined : new Error('caches of the server are not filled')),
      },
      ...this.#startup.checks,
      {
        name: 'shutdown',
        endpoints: ['readyz'],
        check: () => (lifecycle.draining ? new Error('process is shutting down') : undefined),
      },
    ];
  }
}
