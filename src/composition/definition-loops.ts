import { createInProcessExchange } from '../connection/in-process.ts';
import type { OwnOperation } from '../extensions/custom-resources/definitions/control-loops.ts';
import {
  type DefinitionLoops,
  startDefinitionLoops,
} from '../extensions/custom-resources/definitions/index.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OperationEnvironment } from '../operations/environment.ts';
import type { Readers } from '../reader/readers.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import { createContext } from '../request/create-context.ts';
import type { Resources } from '../resources/resources.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { Storage } from '../storage/storage.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import type { Activity } from './activity.ts';
import { measureQueues } from './instrumentation.ts';

const FIELD_MANAGER = 'kube-apiserver';
const DEADLINE_MILLISECONDS = 30_000;

export interface ServerDefinitionLoops {
  readonly resources: Resources;
  readonly readers: Readers;
  readonly storage: Storage;
  readonly operations: OperationEnvironment;
  readonly turns: LoopTurns;
  readonly clusterClock: ClusterClock;
  readonly activity: Activity;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/** Starts the control loops for definitions; they write without a request through the filter chain. */
export const runDefinitionLoops = ({
  resources,
  readers,
  storage,
  operations,
  turns,
  clusterClock,
  activity,
  metrics,
  logger,
}: ServerDefinitionLoops): DefinitionLoops =>
  startDefinitionLoops({
    resources,
    readers,
    storage,
    operation: ownOperation(operations, turns, resources.scheme),
    clock: processClock,
    clusterClock,
    logger,
    observeQueue: measureQueues(metrics, activity),
  });

/** Begins operations as the API server itself. */
export function ownOperation(
  environment: OperationEnvironment,
  turns: LoopTurns,
  scheme: Scheme,
): OwnOperation {
  return (resource, subresource) => {
    const { exchange } = createInProcessExchange({ method: 'PUT', target: '/' });
    const request = createContext(exchange, turns, scheme)!;
    request.user = API_SERVER;
    request.isOwnWrite = true;
    request.deadline = processClock.monotonic() + DEADLINE_MILLISECONDS;
    return {
      environment,
      request,
      resource,
      subresource,
      namespace: '',
      dryRun: false,
      fieldManager: FIELD_MANAGER,
    };
  };
}
