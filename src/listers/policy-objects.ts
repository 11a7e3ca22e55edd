import type { PolicyObjects } from '../admission/policy/objects.ts';
import type { CacheWatch } from '../cache/resource-cache.ts';
import type { Logger } from '../observability/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { StoreReplacedError } from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';
import { Lister } from './listers.ts';

const GROUP = 'admissionregistration.k8s.io';

/** Reads policies and their bindings from the caches of two resources. */
export function policyObjects<Policy, Binding>(
  registry: Registry,
  logger: Logger,
  resources: { readonly policies: string; readonly bindings: string },
): PolicyObjects<Policy, Binding> {
  const policies = new Lister(registry, GROUP, resources.policies);
  const bindings = new Lister(registry, GROUP, resources.bindings);
  return {
    policies: () => policies.listCached() as Policy[],
    bindings: () => bindings.listCached() as Binding[],
    async follow(onChange) {
      const followers = [resources.policies, resources.bindings].map(
        (resource) => new CacheFollower(registry.internal(GROUP, resource), onChange, logger),
      );
      for (const follower of followers) await follower.start();
      return () => {
        for (const follower of followers) follower.stop();
      };
    },
  };
}

/** Delay before objects that could not be read are read again. */
const RETRY_MILLISECONDS = 1000;

/** Calls a function after each change of a resource. */
class CacheFollower {
  #watch: CacheWatch | undefined;
  #isStopped = false;

  constructor(
    private readonly resource: ServedResource,
    private readonly onChange: () => void,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    const { cache, prefix } = this.resource.stored;
    await cache.ready();
    if (this.#isStopped) return;
    this.#watch = cache.watch({ prefix, oneName: false }, cache.revision, {
      matches: () => true,
      deliver: () => {
        this.onChange();
        return true;
      },
      drained: () => Promise.resolve(),
      end: (error) => this.#restart(error),
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#watch?.close();
  }

  /** The store's watch ended: the objects may have changed meanwhile. */
  #restart(error: unknown): void {
    // After a replaced store, all parts are started again.
    if (this.#isStopped || error instanceof StoreReplacedError) return;
    if (error !== undefined)
      this.logger.warn('watch of admission policies ended; reading them again', { err: String(error) });
    this.start().then(this.onChange, (failure: unknown) => {
      processClock.after(RETRY_MILLISECONDS, () => this.#restart(failure));
    });
  }
}
