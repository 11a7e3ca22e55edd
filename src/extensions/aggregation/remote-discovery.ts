import { controllerQueue, type WorkQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import type { LoopContext } from '../custom-resources/definitions/control-loops.ts';
import { discoveryPath } from './api-service.ts';
import type { FetchDocument } from './backend-documents.ts';
import { MAXIMUM_DOCUMENT_BYTES, parseDocument } from './parse-document.ts';
import { type RemoteResource, readAggregated, readResourceList } from './remote-resources.ts';
import type { Route, RoutingTable } from './routing-table.ts';
import { refreshServers, serverOf } from './server-refresh.ts';

const TIMEOUT_MILLISECONDS = 5000;
const WORKERS = 4;
const AGGREGATED = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',');

/** A version of an extension server, as discovery shows it. */
interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  /** Identifies the server: resources of another one are not shown. */
  readonly server: string;
  readonly resources: readonly RemoteResource[] | undefined;
  readonly freshness: 'Current' | 'Stale';
}

/**
 * The resources of extension servers, fetched from their discovery documents: on changes of APIServices and
 * every minute. It is a source of the discovery endpoints.
 */
export class RemoteDiscovery {
  readonly #routes: RoutingTable;
  readonly #fetch: FetchDocument;
  readonly #versions = new Map<string, RemoteVersion>();
  readonly #listeners = new Set<() => void>();
  #queue: WorkQueue | undefined;
  #cancelRefresh: (() => void) | undefined;
  #generation = 0;

  constructor(routes: RoutingTable, fetch: FetchDocument) {
    this.#routes = routes;
    this.#fetch = fetch;
  }

  /** Increases with every change of {@link groups}. */
  get generation(): number {
    return this.#generation;
  }

  /** Calls back after every change. @returns ends that */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The groups with their versions, in no order. */
  groups() {
    const groups = new Map<string, RemoteVersion[]>();
    for (const one of this.#versions.values()) {
      const known = groups.get(one.group);
      if (known === undefined) groups.set(one.group, [one]);
      else known.push(one);
    }
    return [...groups].map(([group, versions]) => ({
      group,
      versions: versions.map(({ version, resources, freshness }) => ({
        version,
        resources: [],
        freshness,
        remote: { resources },
      })),
    }));
  }

  /** All versions with what is known of their resources. */
  versions(): readonly RemoteVersion[] {
    return [...this.#versions.values()];
  }

  /** A route has changed or is gone. */
  routeChanged(name: string): void {
    const route = this.#routes.routes.get(name);
    const known = this.#versions.get(name);
    if (route === undefined) {
      if (this.#versions.delete(name)) this.#changed();
      return;
    }
    const server = serverOf(route);
    const sameServer = known?.server === server;
    if (!sameServer || (!route.available && known.freshness !== 'Stale'))
      this.#set(name, route, sameServer ? known.resources : undefined, 'Stale');
    if (route.available) this.#queue?.add(server);
  }

  start(context: LoopContext): void {
    this.#queue = controllerQueue(context, 'discovery-manager', (server) => this.#refresh(server), WORKERS);
    this.#queue.start();
    this.#cancelRefresh = refreshServers(this.#routes, this.#queue, context.clock);
  }

  async stop(): Promise<void> {
    this.#cancelRefresh?.();
    await this.#queue?.stop();
  }

  /** Fetches the resources of all versions of a server. */
  async #refresh(server: string): Promise<WorkResult> {
    const routes = [...this.#routes.routes].filter(
      ([, route]) => route.available && serverOf(route) === server,
    );
    if (routes.length === 0) return 'done';
    const aggregated = await this.#aggregated(routes[0]![1]).catch(() => undefined);
    for (const [name, route] of routes) {
      const { group, version } = route.registered;
      const resources =
        aggregated === undefined
          ? await this.#list(route).catch(() => undefined)
          : aggregated.get(`${group}/${version}`);
      // The APIService may have changed meanwhile.
      const current = this.#routes.routes.get(name);
      if (current === undefined || serverOf(current) !== server) continue;
      if (resources === undefined || !current.available)
        this.#set(name, current, this.#versions.get(name)?.resources, 'Stale');
      else this.#set(name, current, resources, 'Current');
    }
    return 'done';
  }

  /** Undefined if the server has no aggregated form. */
  async #aggregated(route: Route): Promise<ReadonlyMap<string, readonly RemoteResource[]> | undefined> {
    const document = await this.#document(route, '/apis', AGGREGATED);
    return readAggregated(document);
  }

  async #list(route: Route): Promise<readonly RemoteResource[] | undefined> {
    return readResourceList(await this.#document(route, discoveryPath(route.registered), 'application/json'));
  }

  /** Undefined for a response without success. */
  async #document(route: Route, path: string, accept: string): Promise<unknown> {
    const { status, body } = await this.#fetch(route, {
      path,
      accept,
      timeout: TIMEOUT_MILLISECONDS,
      maximumBytes: MAXIMUM_DOCUMENT_BYTES,
    });
    return status === 200 ? parseDocument(body) : undefined;
  }

  #set(
    name: string,
    { registered: { group, version }, service }: Route,
    resources: readonly RemoteResource[] | undefined,
    freshness: RemoteVersion['freshness'],
  ): void {
    const server = serverOf({ service });
    const known = this.#versions.get(name);
    const same = JSON.stringify(known?.resources) === JSON.stringify(resources);
    if (known?.server === server && known.freshness === freshness && same) return;
    this.#versions.set(name, {
      group,
      version,
      server,
      resources: same ? known?.resources : resources,
      freshness,
    });
    this.#changed();
  }

  #changed(): void {
    this.#generation += 1;
    for (const listener of this.#listeners) listener();
  }
}
