import type { Channel } from '../../grpc/grpc.ts';
import { decodeRange, type ResponseHeader } from './messages.ts';
import { RANGE } from './paths.ts';
import { encodeRange } from './requests.ts';

/** Whether the history of a cluster contains a change. */
export interface Recognition {
  readonly known: boolean;
  /** The revision of the change. */
  readonly revision: number;
  readonly header: ResponseHeader;
}

const NOTHING = new Uint8Array();

/**
 * The newest put that is known: its key, revision and value. A cluster whose history at that revision does not contain
 * it was restored from a backup, even if its revision is higher meanwhile. The value is compared because new clusters
 * get the same keys at the same revisions, whose objects differ in uid and time.
 */
export class Witness {
  #key = '';
  #value: Uint8Array = NOTHING;
  #revision = 0;

  /** A put of a key was acknowledged or delivered; the value is retained. @param key as etcd has it */
  saw(key: string, value: Uint8Array, revision: number): void {
    if (revision <= this.#revision) return;
    this.#key = key;
    this.#value = value;
    this.#revision = revision;
  }

  /** History below `revision` is compacted: it can no longer be read. */
  compacted(revision: number): void {
    if (this.#revision < revision) this.forget();
  }

  forget(): void {
    this.#key = '';
    this.#value = NOTHING;
    this.#revision = 0;
  }

  /**
   * Looks for the change in the history; undefined if none is known.
   * @throws GrpcError, `compacted` or `future revision` if the history does not have the revision
   */
  read(channel: Channel, timeout: number): Promise<Recognition> | undefined {
    const revision = this.#revision;
    const value = this.#value;
    if (revision === 0) return undefined;
    const request = encodeRange({ key: this.#key, revision, limit: 1 });
    return channel.unary(RANGE, request, { timeout }).then((message) => {
      const { entries, header } = decodeRange(message);
      const [entry] = entries;
      const known = entry?.modRevision === revision && Buffer.compare(entry.value, value) === 0;
      return { known, revision, header };
    });
  }
}
