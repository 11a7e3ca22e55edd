/** The end of a server: by `stop`, or by an error of a part. */
export class ServerTermination {
  /** Resolves when the server has stopped; rejects if an error stopped it. */
  readonly closed: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: Error) => void;
  #stopping: Promise<void> | undefined;

  constructor() {
    this.closed = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Prevents an unhandled rejection in a program that does not use `closed`.
    this.closed.catch(() => undefined);
  }

  /** Reports a fatal error. */
  fail(error: Error): void {
    this.#reject(error);
  }

  /** Stops once; later calls wait for the first one. */
  stop(stopServer: () => Promise<void>): Promise<void> {
    this.#stopping ??= stopServer().finally(this.#resolve);
    return this.#stopping;
  }
}
