import type { ProcessClock } from '../../time/clock.ts';
import { isCompacted } from './call-errors.ts';
import type { Cluster } from './cluster.ts';
import { decodeHeaderOnly, decodeTransaction } from './messages.ts';
import { COMPACT, TXN } from './paths.ts';
import { encodeCompaction, encodeTransaction } from './requests.ts';

/** Not below the prefix: shared by all API servers of the cluster, kube-apiserver too. */
const CLOCK_KEY = 'compact_rev_key';

export interface CompactorOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<ProcessClock, 'every'>;
  /** Milliseconds; history is kept for at least one interval and at most two. */
  readonly interval: number;
  /** Called with the revision to which this or another server has compacted. */
  readonly onCompacted: (revision: number) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Compacts the history of a cluster that several servers share, with kube-apiserver's protocol: the version of a
 * key is a logical clock, and the server that advances it compacts to the revision of the previous interval.
 */
export class Compactor {
  #time = 0;
  #revision = 0;
  readonly #stop: () => void;

  constructor(private readonly options: CompactorOptions) {
    this.#stop = options.clock.every(options.interval, () => void this.run().catch(options.onError));
  }

  stop(): void {
    this.#stop();
  }

  /** The cluster was replaced: its clock and revisions are others. */
  forget(): void {
    this.#time = 0;
    this.#revision = 0;
  }

  /** One interval. */
  async run(): Promise<void> {
    const { cluster } = this.options;
    const revision = this.#revision;
    const value = Buffer.from(String(revision));
    const request = encodeTransaction({ key: CLOCK_KEY, version: this.#time, value });
    const { succeeded, current, header } = await cluster.call(TXN, request, decodeTransaction);
    this.#revision = header.revision;
    if (!succeeded) {
      this.#time = current?.version ?? 0;
      if (current !== undefined) this.#saw(current.value, current.modRevision);
      // The server that was first compacts to the revision in the key.
      if (current !== undefined) this.options.onCompacted(Number(Buffer.from(current.value).toString()) || 0);
      return;
    }
    this.#time += 1;
    this.#saw(value, header.revision);
    if (revision === 0) return;
    try {
      await cluster.call(COMPACT, encodeCompaction(revision), decodeHeaderOnly);
    } catch (error) {
      if (!isCompacted(error)) throw error;
    }
    this.options.onCompacted(revision);
  }

  #saw(value: Uint8Array, revision: number): void {
    this.options.cluster.witness.saw({ key: CLOCK_KEY, value, revision, unique: false });
  }
}
