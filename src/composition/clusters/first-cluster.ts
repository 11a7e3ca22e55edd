import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { Faults } from '../../faults/faults.ts';
import type { MemoryStorage } from '../../storage/memory/memory-storage.ts';
import type { AdjustableClock } from '../../time/adjustable-clock.ts';
import type { Cluster } from '../cluster.ts';
import type { Store } from '../start/open-store.ts';
import { ClusterTime } from './cluster-time.ts';
import { frozenFork } from './frozen-fork.ts';

/** The first cluster of a server, as tests use it. */
export class FirstCluster {
  readonly time: ClusterTime;
  readonly clock: AdjustableClock;
  readonly faults: Faults | undefined;
  readonly #cluster: Cluster;
  readonly #store: Store;
  /** The state to which it is reset; undefined unless the store is in memory. */
  readonly #firstState: MemoryStorage | undefined;

  /** Its present state is the one to which it is reset. */
  constructor(cluster: Cluster, store: Store, clock: AdjustableClock, faults: Faults | undefined) {
    this.#cluster = cluster;
    this.#store = store;
    this.clock = clock;
    this.faults = faults;
    this.time = new ClusterTime(clock, () => cluster.quiescent());
    this.#firstState = store.memory && frozenFork(store.memory);
  }

  /** @throws ConfigurationError unless the store is in memory */
  get memory(): MemoryStorage {
    const { memory } = this.#store;
    if (memory === undefined)
      throw new ConfigurationError(
        'only a cluster whose objects are in memory can be forked and reset: use the storage backend memory',
      );
    return memory;
  }

  /** Whether nothing waits to be done, now or at a later time. */
  get isSettled(): boolean {
    return this.#cluster.isSettled && this.clock.untilNextTimer === undefined;
  }

  /** Resolves when the cluster does nothing of its own accord. */
  quiescent(): Promise<void> {
    return this.#cluster.quiescent();
  }

  /** See `FurtherCluster.reset`. @throws ConfigurationError unless the store is in memory */
  async reset(): Promise<void> {
    await this.memory.replaceBy(this.#firstState!);
    await this.#cluster.restarted();
  }
}
