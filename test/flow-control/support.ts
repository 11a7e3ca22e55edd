import { FlowControl, type FlowControlLister, mandatoryObjects } from '../../src/flow-control/index.ts';
import {
  bootstrapFlowSchemas,
  bootstrapPriorityLevels,
} from '../../src/kinds/flowcontrol/bootstrap-objects.ts';
import type {
  FlowSchema,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
} from '../../src/model/generated/flowcontrol-v1.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';
import type { RequestInfo } from '../../src/request/request-info.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';
import { LoopScheduler } from '../../src/steps/loop-scheduler.ts';
import { RULES } from '../support/rule-context.ts';

/** A user of a name and groups. */
export const user = (name: string, ...groups: string[]): UserInfo => ({
  name,
  uid: '',
  groups,
  extra: NO_EXTRA,
});

const withUid = <T extends { metadata?: { name?: string; uid?: string } }>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: `uid-of-${object.metadata?.name}` },
});
export const SCHEMAS = bootstrapFlowSchemas(RULES).map((one) => withUid(one as FlowSchema));
export const LEVELS = bootstrapPriorityLevels().map((one) => withUid(one as PriorityLevelConfiguration));

export const EVERY_RESOURCE = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
];
export const ANYBODY = [{ kind: 'Group', group: { name: '*' } }];

export const schema = (
  name: string,
  matchingPrecedence: number,
  rule: PolicyRulesWithSubjects,
  level = 'exempt',
  distinguisher?: 'ByUser' | 'ByNamespace',
): FlowSchema => ({
  metadata: { name, uid: `uid-of-${name}` },
  spec: {
    matchingPrecedence,
    priorityLevelConfiguration: { name: level },
    ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
    rules: [rule],
  },
});

export const level = (
  name: string,
  limited: NonNullable<NonNullable<PriorityLevelConfiguration['spec']>['limited']>,
): PriorityLevelConfiguration => ({
  metadata: { name, uid: `uid-of-${name}` },
  spec: { type: 'Limited', limited },
});

export const REJECT = { type: 'Reject' };
export const queues = (count: number, handSize: number, queueLengthLimit: number): object => ({
  type: 'Queue',
  queuing: { queues: count, handSize, queueLengthLimit },
});

/** A clock that a test moves. */
export class ManualClock {
  time = 1000;
  #timers: { at: number; callback: () => void }[] = [];

  now = (): number => 1_600_000_000_000 + this.time;
  monotonic = (): number => this.time;

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.time + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  every(milliseconds: number, callback: () => void): () => void {
    let stop: () => void = () => {};
    const again = () => {
      stop = this.after(milliseconds, again);
      callback();
    };
    stop = this.after(milliseconds, again);
    return () => stop();
  }

  /** Moves the time; timers fire in their order. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.time = Math.max(this.time, next.at);
      next.callback();
    }
    this.time = end;
  }
}

export interface TestOptions {
  readonly schemas?: FlowSchema[];
  readonly levels?: PriorityLevelConfiguration[];
  readonly seats?: number;
  readonly objects?: (info: RequestInfo) => number | undefined;
}

/** Priority and fairness over lists that a test changes with `change`. */
export function flowControl(options: TestOptions = {}) {
  const clock = new ManualClock();
  const metrics = createServerMetrics();
  const lists = { schemas: options.schemas ?? SCHEMAS, levels: options.levels ?? LEVELS };
  let generation = 1;
  const lister: FlowControlLister = {
    get generation() {
      return generation;
    },
    flowSchemas: () => lists.schemas,
    priorityLevels: () => lists.levels,
  };
  const control = new FlowControl({
    lister,
    mandatory: mandatoryObjects(
      bootstrapFlowSchemas(RULES) as FlowSchema[],
      bootstrapPriorityLevels() as PriorityLevelConfiguration[],
    ),
    seats: options.seats ?? 600,
    objects: options.objects ?? (() => undefined),
    watchList: true,
    metrics: metrics.flowControl,
    loop: new LoopScheduler(),
    clock,
  });
  return {
    control,
    clock,
    change(next: { schemas?: FlowSchema[]; levels?: PriorityLevelConfiguration[] }): void {
      Object.assign(lists, next);
      generation += 1;
    },
    /** Value of a series, such as `current_limit_seats{priority_level="x"}`. */
    async metric(series: string): Promise<number | undefined> {
      const line = (await exposition(metrics.registry))
        .split('\n')
        .find((one) => one.startsWith(`apiserver_flowcontrol_${series} `));
      return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
    },
  };
}
