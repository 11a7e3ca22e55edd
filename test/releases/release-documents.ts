import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scheme } from '../../src/model/scheme.ts';
import type { ServerOptions } from '../../src/options/options.ts';
import type { Field, MessageType, ValueType } from '../../src/schema/message.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

/** Names of what a release serves, each with a hash of its content. */
export type Hashes = Map<string, string>;

const hash = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

const valueText = ({ scalar, message }: ValueType): string => scalar ?? message!.name;

/** Every attribute of a field, resolved. */
function fieldText(field: Field): string {
  const { name, number, protobufName, shape, pointer, writtenWhenUnset, inline, hiddenInJson } = field;
  const { required, nullable, itemsDefault, itemsEnum, listType, listMapKeys, mapType, unsetJson } = field;
  return JSON.stringify([
    [name, number, protobufName, shape, pointer, writtenWhenUnset, inline, hiddenInJson, required, nullable],
    [field.default, itemsDefault, field.enum, itemsEnum, listType, listMapKeys, mapType, unsetJson],
    [field.patchStrategy, field.patchMergeKey, field.goType, valueText(field.type)],
  ]);
}

/** A compiled type with all that codecs, OpenAPI and field ownership read of it. */
function typeText(type: MessageType): string {
  const { name, group, version, kind, protobuf, openapi, form, typeMeta, items, mapType, unions } = type;
  return [
    JSON.stringify([name, group, version, kind, protobuf, openapi, form, typeMeta, mapType, unions]),
    items === undefined ? '' : valueText(items),
    type.jsonFields.map((field) => field.name).join(' '),
    ...type.fields.map(fieldText),
  ].join('\n');
}

/** The compiled types and the feature gates of a release. */
export function schemeHashes({ types, gates, release }: Scheme): Hashes {
  const { gitVersion } = release;
  return new Map([
    ['release', hash(JSON.stringify({ gitVersion, major: release.major, minor: release.minor }))],
    [
      'gates',
      hash(
        JSON.stringify(
          [...gates].map(([name, { stage, enabled, locked }]) => [name, { stage, enabled, locked }]),
        ),
      ),
    ],
    ...types.all().map((type): [string, string] => [`type ${type.name}`, hash(typeText(type))]),
  ]);
}

const withoutDescriptions = (document: string): string =>
  JSON.stringify(JSON.parse(document), (name, value) =>
    name === 'description' && typeof value === 'string' ? undefined : value,
  );

/** Removes what differs between two servers of the same release. */
const settled = (document: string): string =>
  document
    .replace(/"serverAddress":"[^"]*"/g, '"serverAddress":""')
    .replace(/("(?:gitCommit|buildDate|goVersion|compiler|platform)":)"[^"]*"/g, '$1""');

type Tree = { [member: string]: Tree } & { metadata: Record<string, unknown> };

/** The objects of a list without what each server chooses. */
function objectsText(list: string): string {
  const { items } = JSON.parse(list) as { items: Tree[] };
  return JSON.stringify(items, (name, value) =>
    ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'lastTransitionTime'].includes(name)
      ? undefined
      : value,
  );
}

/** Metrics of kube-apiserver: others are our own. */
const KNOWN_METRICS: ReadonlySet<string> = new Set(
  readFileSync(join(import.meta.dirname, '../fixtures/metrics/reference.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0]!),
);
const AGGREGATED = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const BOOTSTRAP = [
  ...['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
    (name) => `/apis/rbac.authorization.k8s.io/v1/${name}`,
  ),
  ...['flowschemas', 'prioritylevelconfigurations'].map(
    (name) => `/apis/flowcontrol.apiserver.k8s.io/v1/${name}`,
  ),
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/api/v1/namespaces',
];

/** Reads the documents of one server. */
class Documents {
  readonly hashes: Hashes = new Map();
  readonly #cluster: TestCluster;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  async read(path: string, accept = 'application/json'): Promise<Buffer> {
    const response = await this.#cluster.fetch(path, { headers: { accept } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async discovery(): Promise<void> {
    for (const path of ['/version', '/api', '/api/v1', '/apis', '/']) await this.#document(path);
    for (const accept of AGGREGATED) for (const path of ['/api', '/apis']) await this.#document(path, accept);
    const { groups } = JSON.parse((await this.read('/apis')).toString()) as {
      groups: { name: string; versions: { groupVersion: string }[] }[];
    };
    for (const { name, versions } of groups) {
      await this.#document(`/apis/${name}`);
      for (const { groupVersion } of versions) await this.#document(`/apis/${groupVersion}`);
    }
  }

  async openapi(): Promise<void> {
    await this.#described('/openapi/v2', '/openapi/v2');
    this.hashes.set('/openapi/v2 protobuf', hash(await this.read('/openapi/v2', PROTOBUF_V2)));
    const { paths } = JSON.parse((await this.read('/openapi/v3')).toString()) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    this.hashes.set('/openapi/v3', hash(Object.keys(paths).join(' ')));
    for (const [name, { serverRelativeURL }] of Object.entries(paths))
      await this.#described(`/openapi/v3/${name}`, serverRelativeURL);
  }

  async bootstrap(): Promise<void> {
    for (const path of BOOTSTRAP)
      this.hashes.set(path, hash(objectsText((await this.read(path)).toString())));
  }

  async metrics(): Promise<void> {
    const lines = (await this.read('/metrics', 'text/plain')).toString().split('\n');
    const declarations = lines.filter(
      (line) => line.startsWith('# ') && KNOWN_METRICS.has(line.split(' ')[2]!),
    );
    this.hashes.set('/metrics', hash(declarations.sort().join('\n')));
  }

  async checks(): Promise<void> {
    for (const path of ['/livez', '/readyz', '/healthz'])
      this.hashes.set(path, hash(await this.read(`${path}?verbose`, 'text/plain')));
  }

  async #document(path: string, accept?: string): Promise<void> {
    const name = accept === undefined ? path : `${path} ${accept}`;
    this.hashes.set(name, hash(settled((await this.read(path, accept)).toString())));
  }

  async #described(name: string, path: string): Promise<void> {
    const document = (await this.read(path)).toString();
    this.hashes.set(name, hash(document));
    this.hashes.set(`${name} without descriptions`, hash(withoutDescriptions(document)));
  }
}

/** What a new server shows with these options: discovery, OpenAPI, bootstrap objects, metrics, health checks. */
export async function servedHashes(options: ServerOptions): Promise<Hashes> {
  await using cluster = await startCluster({ controllers: ['-*'], ...options });
  const documents = new Documents(cluster);
  await documents.discovery();
  await documents.openapi();
  await documents.bootstrap();
  await documents.metrics();
  await documents.checks();
  return documents.hashes;
}

/** Hashes of the files in a directory of fixtures. */
export function fixtureHashes(directory: string): Hashes {
  return new Map(
    readdirSync(directory)
      .sort()
      .filter((file) => file.endsWith('.gz'))
      .map((file) => [`fixture ${file}`, hash(readFileSync(`${directory}/${file}`))]),
  );
}

/** One line for each name. */
export const hashesText = (hashes: Hashes): string =>
  [...hashes]
    .map(([name, value]) => `${name} ${value}\n`)
    .sort()
    .join('');
