/** What the own parts of a cluster have begun and not ended: requests inside the process, and keys of work queues. */
export class Activity {
  #requests = 0;
  readonly #queues = new Set<() => boolean>();

  /** Whether no request runs inside the process and every queue has nothing to do. */
  get isIdle(): boolean {
    return this.#requests === 0 && [...this.#queues].every((isIdle) => isIdle());
  }

  /** Counts a request until the returned function is called. */
  begin(): () => void {
    this.#requests += 1;
    return () => {
      this.#requests -= 1;
    };
  }

  /** Counts the keys of a queue until the returned function is called. */
  follow(isIdle: () => boolean): () => void {
    this.#queues.add(isIdle);
    return () => void this.#queues.delete(isIdle);
  }
}
