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

/**
 * The newest put that is known: its key and revision. A cluster whose history at that revision does not contain it
 * was restored from a backup, even if its revision is higher meanwhile.
 */
export class Witness {
  #key = '';
  #revision = 0;

  /** A put of a key was acknowledged or delivered. @param key as etcd has it */
  saw(key: string, revision: number): void {
    if (revision <= this.#revision) return;
    this.#key = key;
    this.#revision = revision;
  }

  /** History below `revision` is compacted: it can no longer be read. */
  compacted(revision: number): void {
    if (this.#revision < revision) this.forget();
  }

  forget(): void {
    this.#key = '';
    this.#revision = 0;
  }

  /**
   * Looks for the change in the history; undefined if none is known.
   * @throws GrpcError, `compacted` or `future revision` if the history does not have the revision
   */
  read(channel: Channel, timeout: number): Promise<Recognition> | undefined {
    const revision = this.#revision;
    if (revision === 0) return undefined;
    const request = encodeRange({ key: this.#key, revision, keysOnly: true, limit: 1 });
    return channel.unary(RANGE, request, { timeout }).then((message) => {
      const { entries, header } = decodeRange(message);
      return { known: entries[0]?.modRevision === revision, revision, header };
    });
  }
}
