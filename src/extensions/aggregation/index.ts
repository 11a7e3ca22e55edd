import { SERVICE_NAME_LABEL } from '../../model/service-labels.ts';
import type { Logger } from '../../observability/log.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { ServiceSource } from '../../outbound/service-resolver.ts';
import type { ReadObject } from '../../reader/read-object.ts';
import type { Readers } from '../../reader/readers.ts';
import { RecordView } from '../../reader/record-view.ts';
import type { Subscription } from '../../reader/subscription.ts';
import type { Handler } from '../../request/context.ts';
import type { Resources } from '../../resources/resources.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { LoopContext } from '../custom-resources/definitions/control-loops.ts';
import { type RegisteredVersion, readRegisteredVersion } from './api-service.ts';
import type { Availability } from './availability.ts';
import { AvailabilityLoop } from './availability-loop.ts';
import { createFetchDocument } from './backend-documents.ts';
import type { FrontProxy } from './front-proxy.ts';
import { DiscoveryPriorities } from './priorities.ts';
import { createProbe } from './probe.ts';
import { createProxy, type ProxyOptions } from './proxy.ts';
import { type RemoteNamespacedResources, remoteNamespacedResources } from './remote-content.ts';
import { RemoteDiscovery } from './remote-discovery.ts';
import { DiscoveredKinds } from './remote-kinds.ts';
import { RemoteOpenApi } from './remote-openapi.ts';
import { RoutingTable } from './routing-table.ts';

export interface AggregationOptions extends ProxyOptions {
  readonly resources: Resources;
  readonly readers: Readers;
  /** For extension servers only: watches that they serve hold their connections. */
  readonly client: OutboundClient;
  readonly services: ServiceSource;
  readonly frontProxy: FrontProxy;
  /** Name of this server in its own requests. */
  readonly userAgent: string;
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  readonly logger: Logger;
}

/** The longest time for which a version of a definition keeps its former route. */
const REGISTRATION_MILLISECONDS = 1000;

/** Serves the group versions of extension servers: routing, and the availability of their APIServices. */
export class Aggregation {
  readonly routes: RoutingTable;
  /** The order of groups and versions in discovery. */
  readonly priorities = new DiscoveryPriorities();
  /** The resources of extension servers. */
  readonly discovery: RemoteDiscovery;
  /** The kinds of extension servers, for controllers. */
  readonly kinds: DiscoveredKinds;
  /** The OpenAPI documents of extension servers. */
  readonly openapi: RemoteOpenApi;
  readonly #options: AggregationOptions;
  readonly #registrations: RecordView<RegisteredVersion>;
  readonly #proxy: ReturnType<typeof createProxy>;
  /** Services and Endpoints, followed from the first APIService with a Service. */
  #backends: readonly Subscription[] = [];
  #loop: AvailabilityLoop | undefined;
  /** Cancels the pending removals of registrations that the server puts back. */
  readonly #removals = new Map<string, () => void>();

  constructor(options: AggregationOptions) {
    const { readers, logger, client, resolve, frontProxy, userAgent } = options;
    this.#options = options;
    this.routes = new RoutingTable(client, frontProxy);
    this.#proxy = createProxy(options);
    this.#registrations = new RecordView({
      reader: readers.internal('apiregistration.k8s.io', 'apiservices'),
      read: readRegisteredVersion,
      logger,
      purpose: 'extension servers',
    });
    const fetch = createFetchDocument(resolve, userAgent);
    this.discovery = new RemoteDiscovery(this.routes, fetch);
    this.kinds = new DiscoveredKinds(this.discovery, this.priorities, this.routes);
    this.openapi = new RemoteOpenApi(this.routes, fetch, this.#proxy);
    this.#registrations.onChange((name, current, previous) => {
      this.#removals.get(name)?.();
      this.#removals.delete(name);
      if (current === undefined && previous !== undefined && this.#isOfDefinition(previous))
        this.#removals.set(
          name,
          options.clock.after(REGISTRATION_MILLISECONDS, () => {
            this.#removals.delete(name);
            this.#route(name, undefined);
          }),
        );
      else this.#route(name, current);
    });
  }

  /** Resolves when the stored APIServices are known. */
  async start(): Promise<void> {
    this.#registrations.start();
    await this.#registrations.synced;
  }

  /** Resolves when the routes follow the APIServices that the store had at the call. */
  caughtUp(): Promise<void> {
    return this.#registrations.caughtUp();
  }

  /** The handler of a group version that an extension server serves. */
  extensionServer(group: string, version: string): Handler | undefined {
    const route = this.routes.find(group, version);
    return route === undefined ? undefined : (context) => this.#proxy(context, route);
  }

  /** Whether a definition serves the version: it is registered again at once. */
  #isOfDefinition({ group, version }: RegisteredVersion): boolean {
    const rows = this.#options.resources.served.resourcesOf(group, version);
    return rows.some(({ customKind }) => customKind !== undefined);
  }

  #route(name: string, registered: RegisteredVersion | undefined): void {
    this.priorities.set(name, registered);
    const { generation } = this.routes;
    this.routes.set(name, registered);
    if (this.routes.generation !== generation) {
      this.discovery.routeChanged(name);
      this.openapi.routeChanged(name);
    }
    if (registered?.service !== undefined) this.#followBackends();
  }

  /** The namespaced resources of extension servers, for the deletion of namespaces. */
  namespacedResources(): RemoteNamespacedResources {
    return remoteNamespacedResources(this.discovery, this.priorities);
  }

  /**
   * Starts the loop that maintains the conditions of APIServices.
   * @param onChecked called after each check, and with undefined for a removed APIService
   */
  startLoops(
    context: LoopContext,
    onChecked?: (name: string, availability: Availability | undefined) => void,
  ): void {
    const { resources, services, client, resolve, frontProxy, userAgent } = this.#options;
    this.#loop = new AvailabilityLoop({
      context,
      resource: resources.internal('apiregistration.k8s.io', 'apiservices'),
      registrations: this.#registrations,
      checks: {
        source: services,
        probe: createProbe({ client, resolve, frontProxy, userAgent, has: resources.scheme.has }),
      },
      ...(onChecked && { onChecked }),
    });
    this.#loop.start();
    this.discovery.start(context);
    this.openapi.start(context);
  }

  async stop(): Promise<void> {
    this.#registrations.stop();
    for (const cancel of this.#removals.values()) cancel();
    for (const subscription of this.#backends) subscription.stop();
    await Promise.all([this.#loop?.stop(), this.discovery.stop(), this.openapi.stop()]);
    this.#options.client.close();
  }

  #followBackends(): void {
    if (this.#backends.length > 0) return;
    const { readers, services } = this.#options;
    const changed = (key: string): void => this.#loop?.serviceChanged(key);
    this.#backends = [
      readers.internal('', 'services').subscribe({ changed }),
      services.endpointsResource === 'endpoints'
        ? readers.internal('', 'endpoints').subscribe({ changed })
        : readers.internal('discovery.k8s.io', 'endpointslices').subscribe({
            changed: (key, ...states) => {
              for (const service of servicesOfSlice(key, states)) changed(service);
            },
          }),
    ];
  }
}

/** The keys of the Services that an EndpointSlice belongs to, or did before its change. */
function servicesOfSlice(key: string, states: readonly (ReadObject | undefined)[]): Set<string> {
  const namespace = key.slice(0, key.indexOf('/') + 1);
  const names = states.map((state) => state?.record.header.labels?.[SERVICE_NAME_LABEL]);
  return new Set(names.flatMap((name) => (name === undefined ? [] : [`${namespace}${name}`])));
}
