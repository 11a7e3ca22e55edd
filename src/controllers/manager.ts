import type { Logger } from '../observability/log.ts';
import type { IndexedSource, Selection } from '../reader/object-source.ts';
import { Client, type Resource, type Send } from '../reconcile/client.ts';
import type { Controller, ControllerContext } from '../reconcile/controller.ts';
import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { API_SERVER, CONTROLLER_MANAGER, controllerUser } from '../reconcile/identities.ts';
import type { WorkQueueObserver } from '../reconcile/work-queue.ts';
import type { UserInfo } from '../request/user.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { type AuthenticationData, authenticationMapController } from './authentication-map.ts';
import { type FlowControlObjects, flowControlObjectsController } from './flow-control-objects.ts';
import { flowSchemaController } from './flow-schemas.ts';
import { CONTROLLERS, type ControllerNeeds } from './table.ts';

export interface ControllerOptions extends ControllerNeeds {
  /** Sends requests into the server's filter chain as `user`. */
  send(user: UserInfo): Send;
  /** Objects that `user` may list and watch. @param onError receives what prevents that, and is repeated */
  objects(
    user: UserInfo,
    resource: Resource,
    selection: Selection,
    onError: (error: unknown) => void,
  ): IndexedSource;
  /** Optional controllers to run. */
  readonly selected: ReadonlySet<string>;
  /** Data of the ConfigMap for extension API servers. */
  readonly authenticationData: AuthenticationData;
  /** The built-in flow schemas and priority levels. */
  readonly flowControlObjects: FlowControlObjects;
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly logger: Logger;
  /** Observes the queue of the controller of that name. */
  observeQueue?(controller: string): WorkQueueObserver;
  /** Version in the `User-Agent` of controllers. */
  readonly version: string;
}

export interface RunningControllers {
  /** Starts the optional controllers; those of the API server already run. */
  startSelected(): void;
  /** Stops the optional controllers; resolves when in-flight work is done. They can be started again. */
  stopSelected(): Promise<void>;
  /** Aborts watches and stops the queues; resolves when in-flight work is done. */
  stop(): Promise<void>;
}

/** Starts the controllers of the API server. `startSelected` starts the optional ones. */
export function startControllers(options: ControllerOptions): RunningControllers {
  const own = createParts(options, 'kube-apiserver', API_SERVER);
  const running = [
    flowSchemaController(own),
    flowControlObjectsController(own, options.flowControlObjects),
    authenticationMapController(own, options.authenticationData),
  ];
  let selected: readonly Controller[] = [];
  let stopped = false;
  for (const controller of running) void run(controller);
  return {
    startSelected() {
      if (stopped || selected.length > 0) return;
      selected = selectedControllers(options);
      for (const controller of selected) void run(controller);
    },
    async stopSelected() {
      const controllers = selected;
      selected = [];
      await stopAll(controllers);
    },
    async stop() {
      stopped = true;
      await stopAll([...running, ...selected]);
    },
  };
}

async function stopAll(controllers: readonly Controller[]): Promise<void> {
  await Promise.all(
    controllers.flatMap(({ sources, queue }) => [...sources.map((source) => source.stop()), queue.stop()]),
  );
}

function selectedControllers(options: ControllerOptions): Controller[] {
  const parts = createParts(options, 'kube-controller-manager', CONTROLLER_MANAGER);
  const declarations: readonly ControllerDeclaration<ControllerNeeds>[] = CONTROLLERS;
  return declarations
    .filter(({ name }) => options.selected.has(name))
    .map(({ name, account, create }) =>
      create(
        { ...parts, name, user: account === undefined ? CONTROLLER_MANAGER : controllerUser(account) },
        options,
      ),
    );
}

/** Starts the queue after all sources have synced. */
async function run({ sources, queue }: Controller): Promise<void> {
  for (const source of sources) source.start();
  for (const source of sources) await source.synced;
  queue.start();
}

function createParts(
  { send, objects, clock, clusterClock, logger, observeQueue, version }: ControllerOptions,
  agent: string,
  reader: UserInfo,
): ControllerContext {
  return {
    client: (user) => new Client(send(user), `${agent}/${version}`),
    objects: (resource, selection = {}) =>
      objects(reader, resource, selection, (error) =>
        logger.detail(2, 'watch failed; retrying', {
          resource: resource.resource,
          err: (error as Error).message,
        }),
      ),
    clock,
    clusterClock,
    logger,
    ...(observeQueue && { observeQueue }),
  };
}
