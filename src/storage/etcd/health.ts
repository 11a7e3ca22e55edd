import type { Clock } from '../../time/clock.ts';
import type { Cluster } from './cluster.ts';
import type { KeyMapper } from './keys.ts';
import { decodeRange, encodeRange } from './messages.ts';

export interface EtcdHealthOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly keys: KeyMapper;
  /** Milliseconds that a check may take (`--etcd-healthcheck-timeout`). */
  readonly timeout: number;
}

/** Checks that etcd answers a read of `<prefix>/health`; only the answer counts. */
export class EtcdHealth {
  #error: Error | undefined;
  #checking = false;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: EtcdHealthOptions) {}

  /** The result of the last check. Starts another one when half the timeout has passed since. */
  state(): Error | undefined {
    const { clock, timeout } = this.options;
    if (!this.#checking && clock.monotonic() - this.#checkedAt >= timeout / 2) void this.#check();
    return this.#error;
  }

  async #check(): Promise<void> {
    const { cluster, clock, keys, timeout } = this.options;
    this.#checking = true;
    this.#checkedAt = clock.monotonic();
    try {
      const request = encodeRange({ key: keys.toEtcd(`${keys.rootKey}/health`) });
      await cluster.call('/etcdserverpb.KV/Range', request, decodeRange, { timeout });
      this.#error = undefined;
    } catch (error) {
      this.#error = error as Error;
    }
    this.#checking = false;
  }
}
