import type { ProcessClock } from '../../time/clock.ts';
import { toStorageError } from './call-errors.ts';
import type { Cluster } from './cluster.ts';
import type { KeyMapper } from './keys.ts';
import { decodeRange } from './messages.ts';
import { RANGE } from './paths.ts';
import { encodeRange } from './requests.ts';

export interface EtcdHealthOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<ProcessClock, 'monotonic'>;
  readonly keys: KeyMapper;
  /** Milliseconds that a check may take. */
  readonly timeout: number;
}

/**
 * Checks that etcd answers a read of `<prefix>/health`; only the answer counts. At most one read per half timeout:
 * other checks get its result.
 */
export class EtcdHealth {
  #result: Promise<Error | undefined> | undefined;
  #startedAt = 0;

  constructor(private readonly options: EtcdHealthOptions) {}

  check(): Promise<Error | undefined> {
    const { clock, timeout } = this.options;
    const now = clock.monotonic();
    if (this.#result === undefined || now - this.#startedAt >= timeout / 2) {
      this.#startedAt = now;
      this.#result = this.#read();
    }
    return this.#result;
  }

  async #read(): Promise<Error | undefined> {
    const { cluster, keys, timeout } = this.options;
    try {
      const request = encodeRange({ key: keys.toEtcd(`${keys.rootKey}/health`) });
      await cluster.call(RANGE, request, decodeRange, { timeout });
      return undefined;
    } catch (error) {
      return toStorageError(error) as Error;
    }
  }
}
