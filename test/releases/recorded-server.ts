import type { ServerOptions } from '../../src/options/options.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at many depths
type Json = any;

/** What `scripts/record-release.mjs` records of a server. */
export interface Recording {
  readonly discovery: Readonly<Record<string, Json>>;
  readonly openapi: Readonly<Record<string, Json>>;
  readonly columns: Readonly<Record<string, Json>>;
  readonly bootstrap: Readonly<Record<string, Json>>;
  readonly gates: Readonly<Record<string, readonly [stage: string, enabled: boolean]>>;
  /** Stability and type by name. */
  readonly metrics: Readonly<Record<string, readonly [string, string]>>;
  readonly checks: Readonly<Record<string, readonly string[]>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy without the members of these names. */
function without(value: Json, names: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !names.includes(name) || (name === 'description' && isObject(member)))
      .map(([name, member]) => [name, without(member, names)]),
  );
}

/** Objects without what each server chooses; controllers that write status do not run. */
const settled = (items: Json): Json =>
  without(items, ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'status']);

/** A version 2 document with its shared parameters in place, sorted. */
function resolved(document: Json): Json {
  const shared = document.parameters ?? {};
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'parameters' && Array.isArray(member)
          ? member
              .map((one) => (one.$ref === undefined ? one : shared[one.$ref.slice('#/parameters/'.length)]))
              .sort((left, right) => (`${left.name} ${left.in}` < `${right.name} ${right.in}` ? -1 : 1))
          : visit(member),
      ]),
    );
  };
  return visit({ ...document, parameters: undefined });
}

/** A server with the flags of a recording. */
export class RecordedServer {
  readonly #cluster: TestCluster;

  private constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  static async start(options: ServerOptions): Promise<RecordedServer> {
    return new RecordedServer(
      await startCluster({
        controllers: ['-*'],
        serviceClusterIpRange: '10.0.0.0/24',
        disableAdmissionPlugins: ['ServiceAccount'],
        ...options,
      }),
    );
  }

  stop(): Promise<void> {
    return this.#cluster.stop();
  }

  async #text(path: string, accept = 'application/json'): Promise<string> {
    return (await this.#cluster.fetch(path, { headers: { accept } })).text();
  }

  async #json(path: string, accept?: string): Promise<Json> {
    return JSON.parse(await this.#text(path, accept));
  }

  /** @param name a path, followed by the version of the aggregated form, if any */
  async discovery(name: string, wanted: Json): Promise<Json> {
    const [path = '', version] = name.split(' ');
    const accept =
      version === undefined
        ? undefined
        : `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;
    const document = await this.#json(path, accept);
    if (path === '/version')
      return Object.fromEntries(
        Object.keys(wanted).map((member) => [
          member,
          document[member] === undefined ? undefined : wanted[member],
        ]),
      );
    const { serverAddressByClientCIDRs } = wanted;
    return serverAddressByClientCIDRs === undefined ? document : { ...document, serverAddressByClientCIDRs };
  }

  async openapi(path: string): Promise<Json> {
    return normalOpenapi(path, await this.#json(path));
  }

  async openapiNames(): Promise<string[]> {
    return Object.keys((await this.#json('/openapi/v3')).paths).map((name) => `/openapi/v3/${name}`);
  }

  async columns(path: string): Promise<Json> {
    const table = await this.#json(path, 'application/json;as=Table;g=meta.k8s.io;v=v1');
    return without(table.columnDefinitions ?? [], ['description']);
  }

  /** The cells of the bookmark at the end of the initial events of a watch as Table. */
  async bookmarkCells(path: string): Promise<Json> {
    const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const { status, body } = await this.#cluster.fetch(`${path}?${query}`, {
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
    if (status !== 200 || body === null) throw new Error(`GET ${path}: ${status}`);
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const line = /^.*"type":"BOOKMARK".*\n/m.exec(text)?.[0];
      if (line !== undefined) return JSON.parse(line).object.rows[0].cells;
    }
    throw new Error(`GET ${path}: no bookmark`);
  }

  async bootstrap(path: string): Promise<Json> {
    return settled((await this.#json(path)).items);
  }

  async gates(): Promise<Record<string, [string, boolean]>> {
    const metrics = await this.#text('/metrics', 'text/plain');
    return Object.fromEntries(
      [...metrics.matchAll(/^kubernetes_feature_enabled\{name="([^"]+)",stage="([^"]*)"\} (\d)$/gm)].map(
        ([, name, stage, value]) => [name!, [stage!, value === '1']],
      ),
    );
  }

  async checks(path: string): Promise<string[]> {
    return [...(await this.#text(`${path}?verbose`)).matchAll(/^\[.\]([\w/-]+) /gm)].map(([, name]) => name!);
  }
}

export const normalOpenapi = (path: string, document: Json): Json =>
  path === '/openapi/v2' ? resolved(without(document, ['description'])) : without(document, ['description']);
export const normalBootstrap = settled;
