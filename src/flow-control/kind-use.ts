import { HighWater } from '../observability/high-water.ts';
import type { FlowControlMetrics } from '../observability/metrics-flow-control.ts';
import type { TimingHistogram } from '../observability/timing-histogram.ts';
import type { Ticket } from './ticket.ts';

export type RequestKind = 'readOnly' | 'mutating';

const READ_ONLY_VERBS = new Set(['get', 'list', 'watch']);

/** Requests of one kind that wait or execute. */
export class RequestUse {
  readonly highest = new HighWater();
  #count = 0;
  #capacity = 1;
  readonly #histogram: TimingHistogram;

  /** @param now monotonic milliseconds, here and in the methods */
  constructor(histogram: TimingHistogram, now: number) {
    this.#histogram = histogram;
    histogram.set(0, now);
  }

  /** @param capacity the requests that count as one whole */
  setCapacity(capacity: number): void {
    this.#capacity = Math.max(1, capacity);
  }

  get count(): number {
    return this.#count;
  }

  change(by: number, now: number): void {
    this.#count += by;
    this.highest.change(by, now);
    this.#histogram.set(this.#count / this.#capacity, now);
  }
}

/** Reading and mutating requests, over all priority levels. */
export class KindUse {
  readonly #waiting: Readonly<Record<RequestKind, RequestUse>>;
  readonly #executing: Readonly<Record<RequestKind, RequestUse>>;

  /** @param now monotonic milliseconds, here and in the methods */
  constructor({ readAndWriteUse }: FlowControlMetrics, now: number) {
    const use = (phase: string, kind: RequestKind) => new RequestUse(readAndWriteUse.with(phase, kind), now);
    const both = (phase: string) => ({ readOnly: use(phase, 'readOnly'), mutating: use(phase, 'mutating') });
    this.#waiting = both('waiting');
    this.#executing = both('executing');
  }

  setCapacity({ waiting, executing }: { readonly waiting: number; readonly executing: number }): void {
    for (const kind of ['readOnly', 'mutating'] as const) {
      this.#waiting[kind].setCapacity(waiting);
      this.#executing[kind].setCapacity(executing);
    }
  }

  waiting(ticket: Ticket, by: number, now: number): void {
    this.#waiting[kindOf(ticket)].change(by, now);
  }

  executing(ticket: Ticket, by: number, now: number): void {
    this.#executing[kindOf(ticket)].change(by, now);
  }

  /** The most waiting requests of the last second. */
  mostWaiting(kind: RequestKind, now: number): number {
    return this.#waiting[kind].highest.read(now);
  }
}

/** The kind by the verb of a request. */
export const requestKind = (verb: string): RequestKind =>
  READ_ONLY_VERBS.has(verb) ? 'readOnly' : 'mutating';

const kindOf = ({ request }: Ticket): RequestKind => requestKind(request.info.verb);
