import { HighWater } from '../observability/high-water.ts';
import type { MetricsRegistry, Reading } from '../observability/metrics.ts';
import type { RequestContext } from '../request/context.ts';
import { processClock } from '../time/clock.ts';

const READING_VERBS = new Set(['get', 'list', 'watch', 'head', 'options']);

/** Requests in flight per kind; reports the maximum of the last second. */
export class InFlightRequests {
  readonly #readOnly = new HighWater();
  readonly #mutating = new HighWater();
  readonly #leaveReadOnly = () => this.#readOnly.change(-1, processClock.monotonic());
  readonly #leaveMutating = () => this.#mutating.change(-1, processClock.monotonic());

  constructor(registry: MetricsRegistry) {
    const read = (): Reading[] => {
      const now = processClock.monotonic();
      return [
        [['mutating'], this.#mutating.read(now)],
        [['readOnly'], this.#readOnly.read(now)],
      ];
    };
    const help =
      'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.';
    registry.observe(
      { name: 'apiserver_current_inflight_requests', help, stability: 'STABLE', labels: ['request_kind'] },
      'gauge',
      read,
    );
  }

  /** @returns a function to call when the request has ended */
  enter({ info, arrived }: RequestContext): () => void {
    const reading = READING_VERBS.has(info.verb);
    (reading ? this.#readOnly : this.#mutating).change(1, arrived);
    return reading ? this.#leaveReadOnly : this.#leaveMutating;
  }
}
