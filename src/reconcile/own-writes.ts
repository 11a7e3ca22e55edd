import type { IndexedSource } from '../reader/object-source.ts';
import { ApiError } from '../status/index.ts';

/**
 * Whether a request that failed may have changed something: there was no answer, or one of a failing server. An error
 * may say by its cause which request it was.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof ApiError) return error.code >= 500;
  const { cause } = error instanceof Error ? error : {};
  return cause === undefined || isOutcomeUnknown(cause);
}

/**
 * Keeps a controller from writing twice for one gap. The invariant: **a key is reconciled only while the sources know
 * everything that was written for it before.** It rests on three rules. The result of a write is in the sources before
 * the promise of the write resolves ({@link IndexedSource}). A key is never reconciled concurrently with itself, and a
 * reconcile awaits all its writes. After a write whose outcome is unknown, the sources catch up with the store before
 * the key is reconciled again, which this class does.
 */
export class OwnWrites {
  readonly #sources: readonly Pick<IndexedSource, 'caughtUp'>[];
  readonly #unknown = new Set<string>();

  /** @param sources of the resources that are written */
  constructor(sources: readonly Pick<IndexedSource, 'caughtUp'>[]) {
    this.#sources = sources;
  }

  /**
   * Reconciles a key, after its earlier writes are known.
   * @throws what `reconcile` throws, and the errors of a store that cannot be read
   */
  async follow<Result>(key: string, reconcile: () => Promise<Result>): Promise<Result> {
    if (this.#unknown.has(key)) {
      for (const source of this.#sources) await source.caughtUp();
      this.#unknown.delete(key);
    }
    try {
      return await reconcile();
    } catch (error) {
      if (isOutcomeUnknown(error)) this.#unknown.add(key);
      throw error;
    }
  }
}
