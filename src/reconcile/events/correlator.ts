import { BoundedMap } from '../../collections/bounded-map.ts';

/** client-go's values. */
const MOST_SIMILAR = 10;
const SIMILAR_MILLISECONDS = 600_000;
const BURST = 25;
const MILLISECONDS_PER_EVENT = 300_000;
/** Entries of each memory; the oldest are forgotten first. */
const CAPACITY = 4096;

const COMBINED = '(combined from similar events): ';

/** What makes events alike. */
export interface Occurrence {
  /** The object, with its uid. */
  readonly involved: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** One Event object of the API, as often as it has occurred. */
export interface CountedEvent {
  message: string;
  count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  last: number;
}

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

interface Bucket {
  tokens: number;
  filled: number;
}

/**
 * Counts the events of one component as client-go does: equal ones are one object with a count; of events of one
 * object and reason with different messages, the tenth in ten minutes and those after it are combined; and of one
 * object there are 25 writes at once, then one in five minutes. Times are the cluster's.
 */
export class EventCorrelator {
  readonly #similar = new BoundedMap<string, Similar>(CAPACITY);
  readonly #counted = new BoundedMap<string, CountedEvent>(CAPACITY);
  readonly #buckets = new BoundedMap<string, Bucket>(CAPACITY);

  /** @returns the event to write; undefined if the object has had too many: then it is only counted */
  observe(occurrence: Occurrence, now: number): CountedEvent | undefined {
    const { key, message } = this.#combine(occurrence, now);
    const event = this.#count(key, message, now);
    return this.#takeToken(occurrence.involved, now) ? event : undefined;
  }

  #combine({ involved, type, reason, message }: Occurrence, now: number): { key: string; message: string } {
    const group = JSON.stringify([involved, type, reason]);
    let similar = this.#similar.get(group);
    if (similar === undefined || now - similar.last > SIMILAR_MILLISECONDS)
      similar = { messages: new Set(), last: now };
    similar.messages.add(message);
    similar.last = now;
    this.#similar.set(group, similar);
    if (similar.messages.size < MOST_SIMILAR)
      return { key: JSON.stringify([involved, type, reason, message]), message };
    // The set stays at its bound, whichever message leaves it.
    similar.messages.delete(similar.messages.values().next().value!);
    return { key: group, message: COMBINED + message };
  }

  #count(key: string, message: string, now: number): CountedEvent {
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count += 1;
      known.last = now;
      known.message = message;
      this.#counted.set(key, known);
      return known;
    }
    const event = { message, count: 1, first: now, last: now };
    this.#counted.set(key, event);
    return event;
  }

  #takeToken(involved: string, now: number): boolean {
    const known = this.#buckets.get(involved);
    const bucket = known ?? { tokens: BURST, filled: now };
    const passed = Math.max(0, now - bucket.filled);
    bucket.tokens = Math.min(BURST, bucket.tokens + passed / MILLISECONDS_PER_EVENT);
    bucket.filled = now;
    this.#buckets.set(involved, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
