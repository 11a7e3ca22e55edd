import {
  alignTable,
  FlowControl,
  type FlowControlLister,
  type MandatoryObjects,
  mandatoryObjects,
  priorityLevelTable,
  queueTable,
  requestTable,
} from '../flow-control/index.ts';
import { flowControlPaths } from '../handlers/endpoints/flow-control.ts';
import { bootstrapFlowSchemas, bootstrapPriorityLevels } from '../kinds/flowcontrol/bootstrap-objects.ts';
import { flowControlLister } from '../listers/flow-control-lister.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Scheme } from '../model/scheme.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Handler, RequestContext } from '../request/context.ts';
import type { Resources } from '../resources/resources.ts';
import type { LoopScheduler } from '../steps/loop-scheduler.ts';
import { processClock } from '../time/clock.ts';

export type FlowControlOptions = OptionSlice<
  'enablePriorityAndFairness' | 'maxMutatingRequestsInflight' | 'maxRequestsInflight'
>;

export interface FlowControlParts {
  readonly configuration: Configuration<FlowControlOptions>;
  readonly resources: Resources;
  readonly metrics: ServerMetrics;
  readonly loop: LoopScheduler;
}

const mandatory = new WeakMap<Scheme, MandatoryObjects>();

/** The objects without which priority and fairness does not work; one for the process. */
function mandatoryObjectsOf(scheme: Scheme): MandatoryObjects {
  let objects = mandatory.get(scheme);
  if (objects === undefined) {
    objects = mandatoryObjects(
      bootstrapFlowSchemas(scheme) as FlowSchema[],
      bootstrapPriorityLevels() as PriorityLevelConfiguration[],
    );
    mandatory.set(scheme, objects);
  }
  return objects;
}

/** Creates priority and fairness; undefined with `--enable-priority-and-fairness=false`. */
export function createFlowControl({
  configuration,
  resources,
  metrics,
  loop,
}: FlowControlParts): FlowControl | undefined {
  const { values, gates } = configuration;
  if (!values.enablePriorityAndFairness) return undefined;
  const lister: FlowControlLister = flowControlLister(resources);
  const control = new FlowControl({
    lister,
    mandatory: mandatoryObjectsOf(configuration.scheme),
    seats: values.maxRequestsInflight + values.maxMutatingRequestsInflight,
    objects: ({ group, version, resource }) => resources.find(group, version, resource)?.cache.size,
    watchList: gates.enabled('WatchList'),
    metrics: metrics.flowControl,
    loop,
    clock: processClock,
  });
  metrics.registry.observe(
    {
      name: 'apiserver_current_inqueue_requests',
      help: 'Maximal number of queued requests in this apiserver per request kind in last second.',
      labels: ['request_kind'],
    },
    'gauge',
    () => (['mutating', 'readOnly'] as const).map((kind) => [[kind], control.mostWaiting(kind)]),
  );
  return control;
}

/** The debug tables of priority and fairness; none without it. */
export function flowControlTables(
  control: FlowControl | undefined,
): (readonly [path: string, handler: Handler])[] {
  if (control === undefined) return [];
  const wallTime = (monotonic: number): number => processClock.now() - processClock.monotonic() + monotonic;
  return flowControlPaths(
    new Map([
      ['dump_priority_levels', () => alignTable(priorityLevelTable(control.levels))],
      ['dump_queues', () => alignTable(queueTable(control.levels))],
      [
        'dump_requests',
        ({ query }: RequestContext) =>
          alignTable(requestTable(control.levels, query.get('includeRequestDetails') !== '', wallTime)),
      ],
    ]),
  );
}
