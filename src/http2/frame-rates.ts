import { FRAME_RATES } from './limits.ts';
import { ConnectionError, ErrorCode } from './protocol.ts';
import { RateLimiter } from './rate-limiter.ts';

type Kind = keyof typeof FRAME_RATES;

/** Bytes of DATA for which a client may send one WINDOW_UPDATE. */
const BYTES_PER_WINDOW_UPDATE = 1024;
/** Dependencies that a client may send for each request. */
const PRIORITIES_PER_REQUEST = 2;

/** Bounds the frames of a session that do no work. A limiter exists once the first frame of its kind has arrived. */
export class FrameRates {
  readonly #now: () => number;
  readonly #limiters: Partial<Record<Kind, RateLimiter>> = {};

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a frame. @throws ConnectionError above the rate */
  take(kind: Kind): void {
    if (!this.#limiter(kind).take())
      throw new ConnectionError(ErrorCode.enhanceYourCalm, `too many frames: ${kind}`);
  }

  /** Counts an RST_STREAM of the client, or one that it has provoked. Go's client sends a PING with each. */
  takeReset(): void {
    this.take('reset');
    this.#limiter('ping').credit(1);
  }

  creditWindowUpdates(bytes: number): void {
    this.#limiters.windowUpdate?.credit(bytes / BYTES_PER_WINDOW_UPDATE);
  }

  creditPriority(): void {
    this.#limiters.priority?.credit(PRIORITIES_PER_REQUEST);
  }

  #limiter(kind: Kind): RateLimiter {
    this.#limiters[kind] ??= new RateLimiter(FRAME_RATES[kind], this.#now);
    return this.#limiters[kind];
  }
}
