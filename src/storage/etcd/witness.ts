import type { Channel } from '../../grpc/grpc.ts';
import { isCompacted } from './call-errors.ts';
import { decodeReads, type KeyValue, type ResponseHeader } from './messages.ts';
import { TXN } from './paths.ts';
import { encodeReads } from './requests.ts';

/** Whether the history of a cluster contains the known changes. */
export interface Recognition {
  readonly known: boolean;
  /** The revision of the newest known change. */
  readonly revision: number;
  readonly header: ResponseHeader;
}

/** A change of a key. */
export interface KnownChange {
  /** As etcd has it. */
  readonly key: string;
  /** Undefined for a deletion; retained. */
  readonly value: Uint8Array | undefined;
  readonly revision: number;
  /** The value has a uid, so that no other history has it. */
  readonly unique: boolean;
}

/**
 * The newest change that is known, and the newest one whose value is unique. A cluster whose history does not contain
 * them at their revisions was restored from a backup, even if its revision is higher meanwhile. The newest change alone
 * does not tell: ranges of addresses, leases of servers and the clock of the compaction have equal values at equal
 * revisions in new clusters, whose objects differ in uid and time.
 */
export class Witness {
  #newest: KnownChange | undefined;
  #unique: KnownChange | undefined;

  /** A change was acknowledged or delivered. */
  saw(change: KnownChange): void {
    if (isNewer(change, this.#newest)) this.#newest = change;
    if (change.unique && isNewer(change, this.#unique)) this.#unique = change;
  }

  /** History below `revision` is compacted: it can no longer be read. */
  compacted(revision: number): void {
    if (this.#newest !== undefined && this.#newest.revision < revision) this.forget();
  }

  forget(): void {
    this.#newest = undefined;
    this.#unique = undefined;
  }

  /**
   * Looks for the changes in the history; undefined if none is known.
   * @throws GrpcError, `compacted` or `future revision` if the history does not have the newest revision
   */
  read(channel: Channel, timeout: number): Promise<Recognition> | undefined {
    const newest = this.#newest;
    return newest && recognize(channel, timeout, newest, this.#unique ?? newest);
  }
}

function isNewer(change: KnownChange, known: KnownChange | undefined): boolean {
  return known === undefined || change.revision > known.revision;
}

/** Reads both keys in one transaction, of one cluster therefore. */
async function recognize(
  channel: Channel,
  timeout: number,
  newest: KnownChange,
  unique: KnownChange,
): Promise<Recognition> {
  const { revision } = newest;
  const readAt = async (uniqueAt: number): Promise<Recognition> => {
    const request = encodeReads([
      { key: newest.key, revision },
      { key: unique.key, revision: uniqueAt },
    ]);
    const { entries, header } = decodeReads(await channel.unary(TXN, request, { timeout }));
    const known =
      isFound(newest, entries[0]) && (isFound(unique, entries[1]) || isLater(unique, entries[1], uniqueAt));
    return { known, revision, header };
  };
  try {
    return await readAt(unique.revision);
  } catch (error) {
    // The older one may be compacted.
    if (!isCompacted(error) || unique.revision === revision) throw error;
    return readAt(revision);
  }
}

/** Whether a key is as the change left it. */
function isFound({ value, revision }: KnownChange, entry: KeyValue | undefined): boolean {
  if (value === undefined || entry === undefined) return value === entry?.value;
  return entry.modRevision === revision && Buffer.compare(entry.value, value) === 0;
}

/** Whether others may have changed or deleted a key after the change, up to the revision at which it was read. */
function isLater({ revision }: KnownChange, entry: KeyValue | undefined, readAt: number): boolean {
  return readAt > revision && (entry === undefined || entry.modRevision > revision);
}
