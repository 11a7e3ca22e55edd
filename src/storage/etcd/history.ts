import type { BidiStream } from '../../grpc/grpc.ts';
import { holdingClock } from '../../time/clock.ts';
import { CompactedError } from '../storage.ts';
import type { Cluster } from './cluster.ts';
import { decodeWatch, type WatchEvent } from './messages.ts';
import { WATCH, WATCH_METADATA } from './paths.ts';
import { encodeWatchCreate } from './requests.ts';

/** The key after `key` in byte order. */
const after = (key: string): string => `${key}\0`;

/**
 * Returns the first change of a key at or after a revision that `isWanted` accepts; undefined if there is none up to
 * the revision `to`, at which the key changed.
 * @throws CompactedError, GrpcError
 */
export function findChange(
  cluster: Cluster,
  key: string,
  range: { readonly from: number; readonly to: number; readonly timeout: number },
  isWanted: (event: WatchEvent) => boolean,
): Promise<WatchEvent | undefined> {
  const { from, to, timeout } = range;
  return new Promise((resolve, reject) => {
    let stream: BidiStream | undefined;
    const stopTimer = holdingClock.after(timeout, () =>
      finish(() => reject(new Error('etcd does not send the history'))),
    );
    const finish = (then: () => void) => {
      stopTimer();
      stream?.cancel();
      then();
    };
    ({ stream } = cluster.stream(WATCH, WATCH_METADATA, {
      onMessage: (message) => {
        const { canceled, compactRevision, events } = decodeWatch(message);
        const found = events.find(isWanted);
        if (canceled) finish(() => reject(new CompactedError(from, compactRevision)));
        else if (found !== undefined || events.some(({ entry }) => entry.modRevision >= to))
          finish(() => resolve(found));
      },
      onEnd: (error) => finish(() => reject(error)),
    }));
    stream.write(encodeWatchCreate({ key, rangeEnd: after(key), startRevision: from }));
  });
}

/** Returns the compacted revision if `revision` is below it. */
export async function compactedRevision(
  cluster: Cluster,
  revision: number,
  timeout: number,
): Promise<number> {
  try {
    await findChange(cluster, '\0', { from: revision, to: Number.MAX_SAFE_INTEGER, timeout }, () => true);
  } catch (error) {
    if (error instanceof CompactedError) return error.compactedRevision;
  }
  return 0;
}
