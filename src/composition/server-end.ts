/** The end of a server: by `stop`, or by a fault of a part. */
export class ServerEnd {
  /** Settles when the server has ended; rejects when a fault ended it. */
  readonly closed: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: Error) => void;
  #stopping: Promise<void> | undefined;

  constructor() {
    this.closed = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A caller that never asks for `closed` gets no unhandled rejection.
    this.closed.catch(() => undefined);
  }

  /** Reports a fault that the server cannot go on with. */
  fail(error: Error): void {
    this.#reject(error);
  }

  /** Stops once; later calls wait for the first. */
  stop(stopServer: () => Promise<void>): Promise<void> {
    this.#stopping ??= stopServer().finally(this.#resolve);
    return this.#stopping;
  }
}
