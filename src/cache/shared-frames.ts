import type { CacheEvent } from './record.ts';

const MOST_EVENTS = 512;
const MOST_BYTES = 4 << 20;

/**
 * Events whose encoded frames are cached while several watchers catch up concurrently: each frame is encoded
 * once for watchers at about the same position. The oldest frames are evicted first.
 */
export class SharedFrames {
  readonly #events = new Set<CacheEvent>();
  #bytes = 0;

  /** Keeps the frames of `event` for the next watchers. */
  keep(event: CacheEvent): void {
    if (this.#events.has(event)) return;
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const oldest of this.#events) {
      if (this.#events.size <= MOST_EVENTS && this.#bytes <= MOST_BYTES) return;
      this.#events.delete(oldest);
      this.#bytes -= oldest.bytes;
      oldest.frames = undefined;
    }
  }

  clear(): void {
    for (const event of this.#events) event.frames = undefined;
    this.#events.clear();
    this.#bytes = 0;
  }
}
