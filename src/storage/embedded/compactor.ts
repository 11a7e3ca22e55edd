import { isIntact, readLogRecord, readNumber, writeNumber } from './encoding.ts';
import type { StoreState } from './state.ts';

/** Minimum changes processed per transaction: about 2 ms, so that writers never wait long. */
const leastChanges = 400;
const scarceChanges = 20;

export const compactedKey = 'compacted';
const sweptKey = 'swept';

/**
 * Deletes history below the compacted revision in slices between other commits: for each change there, the
 * previous change of the same key, and the change itself if it is a deletion. The state at the compacted
 * revision and all later changes with their previous values remain. Progress is recorded on disk.
 */
export class Compactor {
  #next: number;

  constructor(private readonly state: StoreState) {
    this.#next = state.environment.meta.get(sweptKey, readNumber) ?? 0;
  }

  get pending(): boolean {
    return this.#next < this.state.compactedRevision;
  }

  /**
   * The next slice: `write` must run in a commit, and `done` after that is durable. No other commit may be in
   * progress.
   * @param written changes made since the last slice; the size of the slice keeps up with them
   * @param scarce takes a small slice, because disk space is reserved for each commit
   */
  slice(written: number, scarce = false): { write: () => void; done: () => void; changes: number } {
    const { log, deleted, meta } = this.state.environment;
    const end = this.state.compactedRevision;
    const changes = scarce ? scarceChanges : Math.max(leastChanges, written * 2);
    const revisions = log.keys(this.#next, end, changes);
    const next = revisions.length < changes ? end : revisions.at(-1)! + 1;
    const obsolete: number[] = [];
    const tombstones: string[] = [];
    for (const revision of revisions) {
      const change = log.get(revision, (buffer, size) =>
        isIntact(buffer, size, revision) ? readLogRecord(buffer, size) : undefined,
      );
      // A corrupt record may name another key's change: keep it and its previous change.
      if (!change) continue;
      if (change.previousRevision) obsolete.push(change.previousRevision);
      if (!change.deletion) continue;
      obsolete.push(revision);
      if (deleted.get(change.key, readNumber) === revision) tombstones.push(change.key);
    }
    const write = () => {
      for (const revision of obsolete) log.remove(revision);
      for (const key of tombstones) deleted.remove(key);
      meta.put(sweptKey, writeNumber(next));
    };
    return {
      write,
      changes: revisions.length,
      done: () => {
        this.#next = next;
      },
    };
  }
}
