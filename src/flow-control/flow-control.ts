import type { FlowSchema } from '../model/generated/flowcontrol-v1.ts';
import { MANDATORY_FLOW_CONTROL } from '../model/mandatory-objects.ts';
import { type FlowControlMetrics, removeSeries } from '../observability/metrics-flow-control.ts';
import type { RequestContext } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { LoopScheduler } from '../steps/loop-scheduler.ts';
import type { ProcessClock } from '../time/clock.ts';
import { Classifier } from './classifier.ts';
import { CompiledSchema, type Flow } from './flow.ts';
import { KindUse, type RequestKind } from './kind-use.ts';
import type { PriorityLevel } from './level.ts';
import { PriorityLevels } from './levels.ts';
import { type FlowControlLister, type LevelSettings, type MandatoryObjects, settingsOf } from './settings.ts';
import { Ticket } from './ticket.ts';
import { WatchCounts } from './watch-counts.ts';
import { estimateWork, type WorkSources } from './work-estimate.ts';

export interface FlowControlOptions {
  readonly lister: FlowControlLister;
  readonly mandatory: MandatoryObjects;
  /** Seats of the server, above 0: `--max-requests-inflight` and `--max-mutating-requests-inflight` together. */
  readonly seats: number;
  /** Number of stored objects; undefined if it is unknown. */
  objects(info: RequestInfo): number | undefined;
  /** Gate WatchList. */
  readonly watchList: boolean;
  readonly metrics: FlowControlMetrics;
  /** Shares the event loop among the flows. */
  readonly loop: LoopScheduler;
  readonly clock: Pick<ProcessClock, 'now' | 'monotonic' | 'after' | 'every'>;
}

/** Milliseconds between two adjustments of the seats. */
const ADJUSTMENT_PERIOD = 10_000;
/** Least adjustments without a request until they end. */
const IDLE_ADJUSTMENTS = 6;
/** The schema of requests that no other one matches. */
const CATCH_ALL = 'catch-all';
/** Further levels are ignored, and their schemas too. */
const MAXIMUM_LEVELS = 1024;
/** Further schemas are ignored, except the mandatory ones. */
const MAXIMUM_SCHEMAS = 8192;

/**
 * Priority and fairness: classifies requests into flows and decides when each of them begins. A change of the
 * flow schemas and priority levels counts from the next request on.
 */
export class FlowControl {
  readonly watches = new WatchCounts();
  readonly levels: PriorityLevels;
  readonly #options: FlowControlOptions;
  readonly #sources: WorkSources;
  #stopAdjusting: (() => void) | undefined;
  /** Adjustments since the last request. */
  #idleAdjustments = 0;
  readonly #kinds: KindUse;
  #generation = Number.NaN;
  #digest = '';
  #schemas = new Map<string, CompiledSchema>();
  #classifier!: Classifier;

  constructor(options: FlowControlOptions) {
    this.#options = options;
    this.levels = new PriorityLevels(options.seats, options);
    this.#sources = {
      objects: (info) => options.objects(info),
      watches: (info) => this.watches.concernedBy(info),
      watchList: options.watchList,
    };
    this.#kinds = new KindUse(options.metrics, options.clock.monotonic());
    this.refresh();
  }

  /** Requests of a kind that waited in queues, at most during the last second. */
  mostWaiting(kind: RequestKind): number {
    return this.#kinds.mostWaiting(kind, this.#options.clock.monotonic());
  }

  stop(): void {
    this.#stopAdjusting?.();
    this.#stopAdjusting = undefined;
  }

  /** Adjusts the seats from now on, until there have been no requests for a while: an idle server has no timer. */
  #adjusts(): void {
    this.#idleAdjustments = 0;
    this.#stopAdjusting ??= this.#options.clock.every(ADJUSTMENT_PERIOD, () => {
      this.levels.adjust();
      this.#idleAdjustments += 1;
      if (this.#idleAdjustments > IDLE_ADJUSTMENTS && this.levels.isAtRest) this.stop();
    });
  }

  flowOf({ user, info }: Pick<RequestContext, 'user' | 'info'>): Flow {
    this.refresh();
    return this.#classifier.flowOf(user, info);
  }

  /** Takes a request, which then executes, waits or is refused: see the state of its ticket. */
  start(context: RequestContext, flow: Flow): Ticket {
    this.#adjusts();
    const { metrics } = flow.schema;
    const work = estimateWork(context, this.#sources, flow.level.maximumSeats, (watches) =>
      metrics.watchCounts.observe(watches),
    );
    const now = this.#options.clock.monotonic();
    const ticket = new Ticket(flow, work, now, context);
    metrics.estimatedSeats.observe(ticket.seats);
    flow.level.queues.start(ticket, now);
    if (ticket.state === 'executing') this.#kinds.executing(ticket, 1, now);
    else if (ticket.state === 'waiting') this.#kinds.waiting(ticket, 1, now);
    if (ticket.state !== 'waiting' && !flow.level.isExempt)
      (ticket.state === 'executing' ? metrics.executed : metrics.refused).observe(0);
    if (ticket.state === 'refused') this.#refused(flow.level);
    return ticket;
  }

  /**
   * Calls `decided` when a waiting request begins to execute, or is refused because it waited too long.
   * @param deadline monotonic milliseconds
   * @returns a function that ends the wait: the client is gone
   */
  wait(ticket: Ticket, deadline: number, decided: () => void): () => void {
    const { clock } = this.#options;
    const { level, schema } = ticket.flow;
    const end = () => {
      stopTimer();
      const now = clock.monotonic();
      const seconds = (now - ticket.arrivedAt) / 1000;
      this.#kinds.waiting(ticket, -1, now);
      if (ticket.state === 'executing') this.#kinds.executing(ticket, 1, now);
      (ticket.state === 'executing' ? schema.metrics.executed : schema.metrics.refused).observe(seconds);
      decided();
    };
    const cancel = () => {
      if (!level.queues.cancel(ticket, clock.monotonic())) return;
      this.#refused(level);
      end();
    };
    const stopTimer = clock.after(Math.max(0, deadline - clock.monotonic()), cancel);
    ticket.onStart = end;
    return cancel;
  }

  /** Ends the execution of a request, or of the initial part of a watch. */
  finish(ticket: Ticket): void {
    const { level, schema } = ticket.flow;
    const now = this.#options.clock.monotonic();
    const { metrics } = schema;
    const duration = ticket.request.info.verb === 'watch' ? metrics.watch : metrics.regular;
    duration.observe((now - ticket.startedAt) / 1000);
    level.queues.finish(ticket, now);
    this.#kinds.executing(ticket, -1, now);
    this.levels.reap(level);
  }

  #refused(level: PriorityLevel): void {
    level.retryAfter.refused(this.#options.clock.now());
    this.levels.reap(level);
  }

  /** Takes over the stored flow schemas and priority levels if they have changed. */
  refresh(): void {
    const { lister, mandatory } = this.#options;
    if (lister.generation === this.#generation) return;
    this.#generation = lister.generation;
    const settings = new Map<string, LevelSettings>();
    for (const level of [...mandatory.priorityLevels, ...lister.priorityLevels()]) {
      const one = settingsOf(level);
      if (one === undefined) continue;
      if (settings.size < MAXIMUM_LEVELS || settings.has(one.name)) settings.set(one.name, one);
    }
    const digest = JSON.stringify([...settings.values()]);
    if (digest !== this.#digest) {
      this.#digest = digest;
      this.levels.configure(settings);
      this.#kinds.setCapacity(this.levels.capacity);
    }
    this.#compile(settings);
  }

  #compile(settings: ReadonlyMap<string, LevelSettings>): void {
    const { lister, mandatory, metrics } = this.#options;
    const sources = new Map<string, FlowSchema>();
    for (const schema of [...mandatory.flowSchemas, ...lister.flowSchemas()])
      if (settings.has(levelOf(schema))) sources.set(schema.metadata?.name ?? '', schema);
    const ordered = [...sources].sort(([leftName, left], [rightName, right]) => {
      const byPrecedence = precedenceOf(left) - precedenceOf(right);
      return byPrecedence !== 0 ? byPrecedence : leftName < rightName ? -1 : 1;
    });
    const schemas = new Map<string, CompiledSchema>();
    for (const [index, [name, source]] of ordered.entries()) {
      if (index >= MAXIMUM_SCHEMAS && !MANDATORY_FLOW_CONTROL.has(name)) continue;
      const level = this.levels.get(levelOf(source))!;
      const known = this.#schemas.get(name);
      schemas.set(
        name,
        known?.isCurrent(source, level) === true ? known : new CompiledSchema(source, level, metrics),
      );
    }
    for (const [name] of this.#schemas) if (!schemas.has(name)) removeSeries(metrics, 'flow_schema', name);
    this.#schemas = schemas;
    this.#classifier = new Classifier([...schemas.values()], schemas.get(CATCH_ALL)!);
  }
}

const precedenceOf = ({ spec }: FlowSchema): number => spec?.matchingPrecedence ?? 0;
const levelOf = ({ spec }: FlowSchema): string => spec?.priorityLevelConfiguration?.name ?? '';
