import type { Logger } from '../observability/log.ts';
import type { IndexedSource, Selection } from '../reader/object-source.ts';
import { Client, type Resource, type Send } from '../reconcile/client.ts';
import type { Controller, ControllerContext } from '../reconcile/controller.ts';
import { type ControllerDeclaration, PROGRAMS, type Program } from '../reconcile/declaration.ts';
import { EventWriter } from '../reconcile/events/event-writer.ts';
import { eventRecorder } from '../reconcile/events/recorder.ts';
import { seriesRecorder } from '../reconcile/events/series-recorder.ts';
import { API_SERVER, controllerUser, programUser } from '../reconcile/identities.ts';
import { LazyController } from '../reconcile/lazy-controller.ts';
import type { AwaitedResource, StoredPresence } from '../reconcile/presence.ts';
import type { WorkQueueObserver } from '../reconcile/work-queue.ts';
import type { UserInfo } from '../request/user.ts';
import type { MaybePromise } from '../steps/steps.ts';
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
  /** Counts work outside of these queues, by a function that says whether there is none; returns what ends that. */
  followWork?(isIdle: () => boolean): () => void;
  /** Which resources have objects. */
  readonly presence: StoredPresence;
  /** Version in the `User-Agent` of controllers. */
  readonly version: string;
}

export interface RunningControllers {
  /** The programs of the selected controllers. */
  readonly programs: readonly Program[];
  /** Starts the selected controllers of a program; those of the API server already run. */
  start(program: Program): void;
  /** Stops them; resolves when in-flight work is done. They can be started again. */
  end(program: Program): Promise<void>;
  /** Stops all for ever; resolves when in-flight work is done. */
  stop(): Promise<void>;
}

const MANAGER: Program = 'kube-controller-manager';

/** Starts the controllers of the API server. `start` starts the optional ones. */
export function startControllers(options: ControllerOptions): RunningControllers {
  const own = createParts(options, 'kube-apiserver', API_SERVER);
  const running = [
    flowSchemaController(own),
    flowControlObjectsController(own, options.flowControlObjects),
    authenticationMapController(own, options.authenticationData),
  ].map((controller) => lazy(options, [], () => controller));
  const started = options.clusterClock.now();
  const writer = new EventWriter(options, options.followWork && { idle: options.followWork });
  const declarations: readonly ControllerDeclaration<ControllerNeeds>[] = CONTROLLERS;
  const selected = declarations
    .filter(({ name }) => options.selected.has(name))
    .map((declaration) => ({
      program: declaration.program ?? MANAGER,
      controller: selectedController(options, writer, declaration, started),
    }));
  const of = (program: Program): LazyController[] =>
    selected.filter((one) => one.program === program).map(({ controller }) => controller);
  const stopAll = async (controllers: readonly LazyController[]): Promise<void> => {
    await Promise.all(controllers.map((controller) => controller.stop()));
  };
  let stopped = false;
  for (const controller of running) controller.start();
  return {
    programs: PROGRAMS.filter((program) => of(program).length > 0),
    start(program) {
      if (!stopped) for (const controller of of(program)) controller.start();
    },
    end: (program) => stopAll(of(program)),
    async stop() {
      stopped = true;
      await stopAll([...running, ...selected.map(({ controller }) => controller)]);
      await writer.stop();
    },
  };
}

function lazy(
  { presence, clock, logger, followWork }: ControllerOptions,
  wakesFor: readonly AwaitedResource[],
  create: (removed: () => void, failed: () => void) => MaybePromise<Controller>,
): LazyController {
  const controller: LazyController = new LazyController({
    wakesFor,
    presence,
    clock,
    create: (removed) => create(removed, () => controller.failed()),
    onError: (error) => logger.error('a controller failed', { err: (error as Error).message }),
  });
  followWork?.(() => controller.isSettled);
  return controller;
}

function selectedController(
  options: ControllerOptions,
  writer: EventWriter,
  { name, program = MANAGER, account, wakesFor = [], create }: ControllerDeclaration<ControllerNeeds>,
  started: number,
): LazyController {
  const reader = programUser(program);
  const user = account === undefined ? reader : controllerUser(account);
  const { clusterClock } = options;
  return lazy(options, wakesFor, (removed, failed) => {
    const parts = createParts(options, program, reader, failed);
    const client = parts.client(user).writer();
    return create(
      {
        ...parts,
        name,
        user,
        started,
        objects(resource, selection) {
          const source = parts.objects(resource, selection);
          if (wakesFor.some((one) => one.group === resource.group && one.resource === resource.resource))
            source.onChange((_key, current) => {
              if (current === undefined) removed();
            });
          return source;
        },
        events: (component) => eventRecorder({ writer, client, component, clock: clusterClock }),
        seriesEvents: (controller, instance) =>
          seriesRecorder({ writer, client, controller, instance, clock: clusterClock }),
      },
      options,
    );
  });
}

function createParts(
  { send, objects, clock, clusterClock, logger, observeQueue, version }: ControllerOptions,
  agent: string,
  reader: UserInfo,
  failed: () => void = () => undefined,
): ControllerContext {
  return {
    client: (user) => new Client(send(user), `${agent}/${version}`),
    objects: (resource, selection = {}) =>
      objects(reader, resource, selection, (error) => {
        failed();
        logger.detail(2, 'watch failed; retrying', {
          resource: resource.resource,
          err: (error as Error).message,
        });
      }),
    clock,
    clusterClock,
    logger,
    ...(observeQueue && { observeQueue }),
  };
}
