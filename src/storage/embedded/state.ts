import { CompactedError, FutureRevisionError } from '../storage.ts';
import type { Environment } from './environment.ts';

/** State shared by the parts of the embedded store. */
export class StoreState {
  /** Newest revision that is durable and published. */
  revision: number;
  /** Newest revision ever assigned to a change; revisions of failed commits are not reused. */
  assigned: number;
  compactedRevision: number;
  /** A commit is in progress: the data file may be ahead of {@link revision}. */
  committing = false;
  /** Start of the current commit, in milliseconds since the epoch. */
  commitStarted = 0;
  /** Reason why writes are refused now. */
  failure: Error | undefined;
  /** Set while the data file is reopened after a failed commit; reads wait for it. */
  reopening: Promise<void> | undefined;
  /** New writes are refused; queued ones are completed. */
  closed = false;
  /** Reason why the store cannot be read any more. */
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
