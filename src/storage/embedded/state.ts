import { CompactedError, FutureRevisionError } from '../storage.ts';
import type { Environment } from './environment.ts';

/** What the parts of the embedded store share. */
export class StoreState {
  /** Newest revision that is durable and published. */
  revision: number;
  /** Newest revision ever given to a change; one that was given to a failed commit is not given again. */
  assigned: number;
  compactedRevision: number;
  /** A commit is under way: the data file may be ahead of {@link revision}. */
  committing = false;
  /** When the commit under way began, in milliseconds since the epoch. */
  commitStarted = 0;
  /** Why writes are refused now. */
  failure: Error | undefined;
  /** Set while the data file is closed and opened again after a failed commit; reads wait for it. */
  reopening: Promise<void> | undefined;
  /** No new writes; those that wait are finished. */
  closed = false;
  /** Why nothing can be read any more. */
  unreadable: Error | undefined;

  constructor(
    public environment: Environment,
    readonly epoch: number,
    numbers: { revision: number; compactedRevision: number },
  ) {
    this.revision = numbers.revision;
    this.assigned = numbers.revision;
    this.compactedRevision = numbers.compactedRevision;
  }

  /** @throws CompactedError, FutureRevisionError, StorageUnavailableError */
  assertReadable(revision: number | undefined): void {
    if (this.unreadable) throw this.unreadable;
    if (!revision) return;
    if (revision > this.revision) throw new FutureRevisionError(revision, this.revision);
    if (revision < this.compactedRevision) throw new CompactedError(revision, this.compactedRevision);
  }
}

export const closedMessage = 'the store is closed';

/** Resolves in the next turn of the event loop, after the input and output that is ready now. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
