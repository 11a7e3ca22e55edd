import { BoundedMap } from '../collections/bounded-map.ts';
import type { FlowSchema } from '../model/generated/flowcontrol-v1.ts';
import type { Counter } from '../observability/metric-cells.ts';
import type { FlowControlMetrics } from '../observability/metrics-flow-control.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/user.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { PriorityLevel } from './level.ts';
import { compileRules, type FlowRule } from './rules.ts';
import type { QueueSettings } from './settings.ts';
import { dealHand, flowHash } from './shuffle-sharding.ts';

/** Requests of one schema that are treated alike: of one user, or in one namespace. */
export interface Flow {
  readonly schema: CompiledSchema;
  readonly level: PriorityLevel;
  readonly distinguisher: string;
  /** Indices of the queues that the flow may use; empty for a level without queues. */
  readonly hand: Uint32Array;
  /** The turns of the event loop that its requests share. */
  readonly turns: LoopTurns;
  /** Seats that its requests occupy. */
  seatsInUse: number;
}

/** Flows of one schema that are remembered; a forgotten one is computed again. */
const KEPT_FLOWS = 4096;

const NO_HAND = new Uint32Array(0);

/** A flow schema whose priority level exists. */
export class CompiledSchema {
  readonly name: string;
  readonly uid: string;
  readonly rules: readonly FlowRule[];
  readonly metrics: ReturnType<typeof cellsOf>;
  readonly #method: string | undefined;
  readonly #queuing: QueueSettings | 'exempt';
  readonly #flows = new BoundedMap<string, Flow>(KEPT_FLOWS);

  constructor(
    readonly source: FlowSchema,
    readonly level: PriorityLevel,
    metrics: FlowControlMetrics,
  ) {
    this.name = source.metadata?.name ?? '';
    this.uid = source.metadata?.uid ?? '';
    this.rules = compileRules(source);
    this.metrics = cellsOf(level.name, this.name, metrics);
    this.#method = source.spec?.distinguisherMethod?.type;
    this.#queuing = level.settings.queuing;
  }

  /** Whether it still is what its object and its level say. */
  isCurrent(source: FlowSchema, level: PriorityLevel): boolean {
    return (
      this.source === source && this.level === level && isSameDeck(this.#queuing, level.settings.queuing)
    );
  }

  /** Whether requests of one user may belong to several flows, by namespace. */
  get isByNamespace(): boolean {
    return this.#method === 'ByNamespace';
  }

  flowOf(user: UserInfo, info: RequestInfo): Flow {
    const distinguisher = this.#distinguisher(user, info);
    const known = this.#flows.get(distinguisher);
    if (known !== undefined) return known;
    const flow: Flow = {
      schema: this,
      level: this.level,
      distinguisher,
      hand: this.#hand(distinguisher),
      turns: this.level.newTurns(),
      seatsInUse: 0,
    };
    this.#flows.set(distinguisher, flow);
    return flow;
  }

  #hand(distinguisher: string): Uint32Array {
    if (this.#queuing === 'exempt' || this.#queuing.queues === 0) return NO_HAND;
    const { queues, handSize } = this.#queuing;
    // With one queue there is nothing to choose.
    return dealHand(queues === 1 ? 0n : flowHash(this.name, distinguisher), queues, handSize);
  }

  #distinguisher(user: UserInfo, info: RequestInfo): string {
    switch (this.#method) {
      case 'ByUser':
        return user.name;
      case 'ByNamespace':
        return info.namespace;
      default:
        return '';
    }
  }
}

function isSameDeck(left: QueueSettings | 'exempt', right: QueueSettings | 'exempt'): boolean {
  if (left === 'exempt' || right === 'exempt') return left === right;
  return left.queues === right.queues && left.handSize === right.handSize;
}

/** Why a request was refused. */
export type RefusalReason = 'concurrency-limit' | 'queue-full' | 'time-out';

function cellsOf(level: string, schema: string, metrics: FlowControlMetrics) {
  const rejected = new Map<RefusalReason, Counter>();
  const seats = metrics.executingSeats.with(level, schema);
  const inUse = metrics.concurrencyInUse.with(level, schema);
  return {
    dispatched: metrics.dispatched.with(level, schema),
    rejected(reason: RefusalReason): Counter {
      let counter = rejected.get(reason);
      if (counter === undefined) {
        counter = metrics.rejected.with(level, schema, reason);
        rejected.set(reason, counter);
      }
      return counter;
    },
    waiting: metrics.waiting.with(level, schema),
    waitingSeats: metrics.waitingSeats.with(level, schema),
    executing: metrics.executing.with(level, schema),
    addSeats(count: number): void {
      seats.add(count);
      inUse.add(count);
    },
    queueLength: metrics.queueLength.with(level, schema),
    executed: metrics.waitDuration.with(level, schema, 'true'),
    refused: metrics.waitDuration.with(level, schema, 'false'),
    regular: metrics.executionDuration.with(level, schema, 'regular'),
    watch: metrics.executionDuration.with(level, schema, 'watch'),
    watchCounts: metrics.watchCounts.with(level, schema),
    estimatedSeats: metrics.estimatedSeats.with(level, schema),
    noAccommodation: metrics.noAccommodation.with(level, schema),
  };
}
