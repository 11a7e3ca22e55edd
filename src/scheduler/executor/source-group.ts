import type { IndexedSource } from '../../reader/object-source.ts';
import type { Source } from '../../reconcile/controller.ts';

/** Sources that are opened together when the first pod needs them, and stay open. */
export class SourceGroup implements Source {
  readonly #sources: readonly IndexedSource[];
  readonly synced = Promise.resolve();
  #opening: Promise<void> | undefined;
  #isOpen = false;

  constructor(...sources: readonly IndexedSource[]) {
    this.#sources = sources;
  }

  /** All objects are known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when all objects are known, or when the sources are stopped. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    for (const source of this.#sources) source.start();
    for (const source of this.#sources) await source.synced;
    this.#isOpen = true;
  }

  /** Nothing is opened before it is needed. */
  start(): void {}

  async stop(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.stop()));
  }
}
