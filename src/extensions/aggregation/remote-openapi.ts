import { createHash } from 'node:crypto';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import type { RequestContext } from '../../request/context.ts';
import { respondText } from '../../request/respond-text.ts';
import { runInBackground } from '../../steps/run.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { LoopContext } from '../custom-resources/definitions/control-loops.ts';
import { discoveryPath } from './api-service.ts';
import type { FetchDocument } from './backend-documents.ts';
import { MAXIMUM_DOCUMENT_BYTES, parseDocument } from './parse-document.ts';
import { AGGREGATOR } from './probe.ts';
import type { createProxy } from './proxy.ts';
import type { Route, RoutingTable } from './routing-table.ts';
import { refreshServers, serverOf } from './server-refresh.ts';
import { readingSwagger, type SwaggerPart } from './swagger.ts';

const DELAY_MILLISECONDS = 1000;
const TIMEOUT_MILLISECONDS = 60_000;
const MAXIMUM_ENTRIES = 10_000;
const WORKERS = 2;

/** What is known of the documents of one server. */
interface ServerDocuments {
  /** Registered versions when the documents were read. */
  readonly prefixes: string;
  readonly index: ReadonlyMap<string, string>;
  readonly part: SwaggerPart | undefined;
  /** Entity tag and hash of the version 2 document. */
  readonly tag: string;
  readonly hash: string;
}

/**
 * The OpenAPI documents of extension servers: the entries of their version 3 indexes, whose documents are passed
 * on when they are requested, and their version 2 documents. Fetched after changes of APIServices and every
 * minute.
 */
export class RemoteOpenApi {
  readonly #routes: RoutingTable;
  readonly #fetch: FetchDocument;
  readonly #proxy: ReturnType<typeof createProxy>;
  readonly #servers = new Map<string, ServerDocuments>();
  readonly #delayed = new Map<string, () => void>();
  #queue: WorkQueue | undefined;
  #clock: Pick<ProcessClock, 'after'> | undefined;
  #cancelRefresh: (() => void) | undefined;
  #indexed: ReadonlyMap<string, string> = new Map();
  #serverOfName = new Map<string, string>();
  #parts: readonly SwaggerPart[] = [];
  #partsHash = '';

  constructor(routes: RoutingTable, fetch: FetchDocument, proxy: ReturnType<typeof createProxy>) {
    this.#routes = routes;
    this.#fetch = fetch;
    this.#proxy = proxy;
  }

  /** Paths with hashes of version 3 documents by name; another map after each change. */
  get indexed(): ReadonlyMap<string, string> {
    return this.#indexed;
  }

  /** The parts of version 2 documents. */
  get parts(): readonly SwaggerPart[] {
    return this.#parts;
  }

  /** Identifies {@link parts}; empty if there are none. */
  get partsHash(): string {
    return this.#partsHash;
  }

  /** Passes the request for a version 3 document on, in the name of this server. */
  serve(context: RequestContext, name: string): void | Promise<void> {
    const server = this.#serverOfName.get(name);
    const route = [...this.#routes.routes.values()].find((one) => one.available && serverOf(one) === server);
    if (route === undefined) return respondText(context, 503, 'service unavailable');
    return this.#proxy(context, route, AGGREGATOR);
  }

  /** A route has changed or is gone. */
  routeChanged(name: string): void {
    const route = this.#routes.routes.get(name);
    this.#forgetServers();
    if (route?.available !== true || this.#clock === undefined) return;
    const server = serverOf(route);
    if (this.#delayed.has(server)) return;
    const cancel = this.#clock.after(DELAY_MILLISECONDS, () => {
      this.#delayed.delete(server);
      this.#queue?.add(server);
    });
    this.#delayed.set(server, cancel);
  }

  start(context: LoopContext): void {
    this.#clock = context.clock;
    this.#queue = controllerQueue(
      context,
      'openapi_aggregation_controller',
      (server) => this.#refresh(server),
      WORKERS,
    );
    this.#queue.start();
    this.#cancelRefresh = refreshServers(this.#routes, this.#queue, context.clock);
  }

  async stop(): Promise<void> {
    this.#cancelRefresh?.();
    for (const cancel of this.#delayed.values()) cancel();
    await this.#queue?.stop();
  }

  #routesOf(server: string): Route[] {
    return [...this.#routes.routes.values()].filter((route) => serverOf(route) === server);
  }

  /** Drops the documents of servers without routes, and versions that are no longer registered. */
  #forgetServers(): void {
    let changed = false;
    for (const [server, { prefixes }] of this.#servers) {
      const routes = this.#routesOf(server);
      if (routes.length > 0 && prefixesOf(routes).join(' ') === prefixes) continue;
      if (routes.length > 0) this.#queue?.add(server);
      else {
        this.#servers.delete(server);
        changed = true;
      }
    }
    if (changed) this.#publish();
  }

  async #refresh(server: string): Promise<WorkResult> {
    const routes = this.#routesOf(server);
    const route = routes.find(({ available }) => available);
    if (route === undefined) return 'done';
    const prefixes = prefixesOf(routes);
    const known = this.#servers.get(server);
    const sameVersions = known?.prefixes === prefixes.join(' ');
    const index = await this.#readIndex(route).catch(() => known?.index ?? new Map<string, string>());
    const swagger = await this.#readSwagger(route, prefixes, sameVersions ? known : undefined).catch(
      () => undefined,
    );
    // The registration may have ended meanwhile.
    if (this.#routesOf(server).length === 0) return 'done';
    const { part, tag, hash } = swagger ?? (sameVersions ? known : undefined) ?? NOTHING;
    this.#servers.set(server, { prefixes: prefixes.join(' '), index, part, tag, hash });
    this.#publish();
    return 'done';
  }

  async #readIndex(route: Route): Promise<ReadonlyMap<string, string>> {
    const { status, body } = await this.#fetch(route, {
      path: '/openapi/v3',
      accept: 'application/json',
      timeout: TIMEOUT_MILLISECONDS,
      maximumBytes: MAXIMUM_DOCUMENT_BYTES,
    });
    const index = new Map<string, string>();
    if (status !== 200) return index;
    const { paths } = (await parseDocument(body)) as { paths?: Readonly<Record<string, unknown>> };
    for (const [name, entry] of Object.entries(paths ?? {}).slice(0, MAXIMUM_ENTRIES)) {
      const url = (entry as { serverRelativeURL?: unknown } | null)?.serverRelativeURL;
      if (typeof url === 'string' && url.startsWith('/openapi/v3/')) index.set(name, url);
    }
    return index;
  }

  /** Undefined when the known document is still the current one. */
  async #readSwagger(
    route: Route,
    prefixes: readonly string[],
    known: ServerDocuments | undefined,
  ): Promise<Pick<ServerDocuments, 'part' | 'tag' | 'hash'> | undefined> {
    const { status, headers, body } = await this.#fetch(route, {
      path: '/openapi/v2',
      accept: 'application/json',
      timeout: TIMEOUT_MILLISECONDS,
      maximumBytes: MAXIMUM_DOCUMENT_BYTES,
      ...(known === undefined || known.tag === '' ? {} : { headers: { 'if-none-match': known.tag } }),
    });
    if (status === 304) return undefined;
    if (status !== 200) return NOTHING;
    const hash = createHash('sha256').update(prefixes.join(' ')).update(body).digest('hex').toUpperCase();
    if (hash === known?.hash) return undefined;
    const part = await runInBackground(readingSwagger(await parseDocument(body), prefixes));
    return { part, tag: headers.etag ?? '', hash };
  }

  #publish(): void {
    const servers = [...this.#servers].sort(([left], [right]) => (left < right ? -1 : 1));
    const indexed = new Map<string, string>();
    const serverOfName = new Map<string, string>();
    for (const [server, { index, prefixes }] of servers) {
      const registered = new Set(prefixes.split(' '));
      for (const [name, url] of index) {
        // The server that is registered for a version describes it.
        if (indexed.has(name) && !registered.has(`/${name}`)) continue;
        indexed.set(name, url);
        serverOfName.set(name, server);
      }
    }
    if (!sameEntries(indexed, this.#indexed)) this.#indexed = indexed;
    this.#serverOfName = serverOfName;
    const described = servers.filter(([, { part }]) => part !== undefined);
    this.#parts = described.map(([, { part }]) => part!);
    this.#partsHash =
      described.length === 0
        ? ''
        : createHash('sha256')
            .update(described.map(([, { hash }]) => hash).join(' '))
            .digest('hex')
            .toUpperCase();
  }
}

const NOTHING = { part: undefined, tag: '', hash: '' };

const prefixesOf = (routes: readonly Route[]): string[] =>
  routes.map(({ registered }) => discoveryPath(registered)).sort();

const sameEntries = (left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean =>
  left.size === right.size && [...left].every(([name, url]) => right.get(name) === url);
