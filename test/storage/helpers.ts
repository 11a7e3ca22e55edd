import {
  type Storage,
  type StoreEvent,
  type StoreWatch,
  type Transaction,
  type TransactionResult,
  toKey,
} from '../../src/storage/storage.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (value: Uint8Array): string => new TextDecoder().decode(value);

/** Writes and returns the revision; throws when the condition fails. */
export async function put(
  storage: Storage,
  key: string,
  value: string,
  expected = 0,
  timeToLiveSeconds?: number,
): Promise<number> {
  return succeeded(
    await storage.transact({ key: toKey(key), expected, value: bytes(value), timeToLiveSeconds }),
  );
}

export async function remove(storage: Storage, key: string, expected: number): Promise<number> {
  return succeeded(
    await storage.transact({ key: toKey(key), expected, value: undefined } satisfies Transaction),
  );
}

function succeeded(result: TransactionResult): number {
  if (!result.succeeded) throw new Error(`refused: current revision ${result.current?.revision}`);
  return result.revision;
}

/** Records the events of a watch and lets a test wait for them. */
export class Recorder {
  readonly events: StoreEvent[] = [];
  readonly progress: number[] = [];
  /** Answers to requests for progress. */
  readonly requested: number[] = [];
  readonly ended: Promise<Error>;
  readonly watch: StoreWatch;
  #waiting: { ready: () => boolean; resolve: () => void }[] = [];

  constructor(storage: Storage, startRevision?: number, start = '/', end = '0') {
    let onEnd: (error: Error) => void = () => undefined;
    this.ended = new Promise((resolve) => {
      onEnd = resolve;
    });
    const changed = () => {
      this.#waiting = this.#waiting.filter(({ ready, resolve }) => (ready() ? resolve() : true));
    };
    this.watch = storage.watch({
      start,
      end,
      startRevision,
      onEvents: (events) => {
        this.events.push(...events);
        changed();
      },
      onProgress: (revision, requested) => {
        (requested ? this.requested : this.progress).push(revision);
        changed();
      },
      onEnd,
    });
  }

  get revisions(): number[] {
    return this.events.map((event) => event.revision);
  }

  async until(ready: (recorder: Recorder) => boolean): Promise<void> {
    if (ready(this)) return;
    await new Promise<void>((resolve) => this.#waiting.push({ ready: () => ready(this), resolve }));
  }
}
