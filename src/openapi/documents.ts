import { apiRootOf } from '../model/object.ts';
import type { MessageType } from '../schema/message.ts';
import type { DescribedRelease, Dialect, Path, Schema } from './document.ts';
import {
  apiPath,
  apisPath,
  groupPath,
  groupVersionPath,
  ISSUER_PATH,
  KEY_SET_PATH,
  VERSION_INFO,
  VERSION_PATH,
  versionSchema,
} from './document-paths.ts';
import { type DescribedResource, PATCH, type PathOptions, ResourcePaths } from './resource-paths.ts';
import { type Descriptions, SchemaWriter } from './schemas.ts';
import { type PartV2, partV2 } from './v2.ts';
import { documentV3, pathsV3 } from './v3.ts';

export interface DescribedGroup {
  readonly group: string;
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly DescribedResource[];
  }[];
}

export interface DocumentOptions extends Pick<PathOptions, 'kindType' | 'deleteReturnsObject'> {
  /** The release that the documents describe. */
  readonly release: DescribedRelease;
  readonly descriptions: Descriptions;
  /** Whether CBOR is among the media types. */
  readonly cbor: boolean;
  /** Whether the documents of the service account issuer are served. */
  readonly issuer: boolean;
}

/** What a document describes: paths, and the resources whose schemas they refer to. */
interface Contents {
  readonly paths: readonly Path[];
  readonly resources: readonly DescribedResource[];
}

/** The group versions by the names of their documents, so that no document costs a search of the others. */
interface Lookup {
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlyMap<
    string,
    {
      readonly group: string;
      readonly version: string;
      readonly resources: readonly DescribedResource[];
    }
  >;
}

const lookupOf = (groups: readonly DescribedGroup[]): Lookup => ({
  groups: new Set(groups.map(({ group }) => group)),
  versions: new Map(
    groups.flatMap(({ group, versions }) =>
      versions.map(({ version, resources }) => [
        apiRootOf(group, version).slice(1),
        { group, version, resources },
      ]),
    ),
  ),
});

const areCustom = (resources: readonly DescribedResource[]): boolean =>
  resources.length > 0 && resources.every(({ customKind }) => customKind !== undefined);

const MEDIA_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const NO_RESOURCES: readonly DescribedResource[] = [];
const STREAM_TYPES = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Builds OpenAPI documents from the served resources and the type model. Pure, but slow: callers cache the
 * documents.
 */
export class DocumentBuilder {
  readonly release: DescribedRelease;
  readonly #options: DocumentOptions;
  readonly #paths: PathOptions;
  readonly #lookups = new WeakMap<readonly DescribedGroup[], Lookup>();

  constructor(options: DocumentOptions) {
    this.#options = options;
    this.release = options.release;
    this.#paths = {
      kindType: options.kindType,
      deleteReturnsObject: options.deleteReturnsObject,
      mediaTypes: options.cbor ? [...MEDIA_TYPES, 'application/cbor'] : MEDIA_TYPES,
      streamTypes: options.cbor ? [...STREAM_TYPES, 'application/cbor-seq'] : STREAM_TYPES,
    };
  }

  /**
   * Names of the version 3 documents of these groups, as listed in the index: `api/v1`, `apis/apps`,
   * `version` …
   */
  names(groups: readonly DescribedGroup[]): string[] {
    const ofGroup = ({ group, versions }: DescribedGroup) => [
      ...(group === '' ? ['api'] : []),
      // Groups of custom resources alone have no document of their own.
      ...(group === '' || versions.every(({ resources }) => areCustom(resources)) ? [] : [`apis/${group}`]),
      ...versions.map(({ version }) => apiRootOf(group, version).slice(1)),
    ];
    const issuer = this.#options.issuer ? ['.well-known/openid-configuration', 'openid/v1/jwks'] : [];
    return [...groups.flatMap(ofGroup), 'apis', 'version', ...issuer].sort();
  }

  /** The resources that a version 3 document describes. */
  resources(name: string, groups: readonly DescribedGroup[]): readonly DescribedResource[] {
    return this.#lookup(groups).versions.get(name)?.resources ?? NO_RESOURCES;
  }

  /**
   * A text that changes with the schemas of the custom kinds among these resources; empty without any.
   * @param pause awaited between kinds, to yield to the event loop
   */
  async customHash(resources: readonly DescribedResource[], pause: () => Promise<void>): Promise<string> {
    const hashes: string[] = [];
    for (const row of resources) {
      hashes.push(row.customKind?.hash ?? '');
      await pause();
    }
    return hashes.join(' ');
  }

  /**
   * The schemas of the custom kinds among these resources.
   * @param pause awaited between kinds, to yield to the event loop
   */
  async customSchemas(
    resources: readonly DescribedResource[],
    dialect: Dialect,
    pause: () => Promise<void>,
  ): Promise<Record<string, Schema>> {
    const found: [string, Schema][] = [];
    for (const row of resources) {
      found.push(...Object.entries(row.customKind?.schemas(dialect) ?? {}));
      await pause();
    }
    return Object.fromEntries(found);
  }

  /**
   * One version 3 document, or undefined for an unknown name.
   * @param pause awaited between resources, to yield to the event loop
   */
  async v3(
    name: string,
    groups: readonly DescribedGroup[],
    pause: () => Promise<void>,
  ): Promise<Schema | undefined> {
    const contents = await this.#contentsOf(name, groups, pause);
    if (contents === undefined) return undefined;
    const { paths, resources } = contents;
    const writer = new SchemaWriter('v3', this.#options.descriptions, this.release);
    const schemas = new Map<string, Schema>(Object.entries(await this.customSchemas(resources, 'v3', pause)));
    this.#addSchemas(contents, writer, 'v3', schemas);
    return documentV3(
      await pathsV3(paths, writer, pause),
      inOrder(schemas),
      areCustom(resources),
      this.release.minor,
    );
  }

  /**
   * The part of the version 2 document for one of the names, or undefined for an unknown name.
   * @param definitions receives the schemas that parts share and that it does not have yet
   * @param pause awaited between resources, to yield to the event loop
   */
  async partV2(
    name: string,
    groups: readonly DescribedGroup[],
    definitions: Map<string, Schema>,
    pause: () => Promise<void>,
  ): Promise<PartV2 | undefined> {
    const contents = await this.#contentsOf(name, groups, pause);
    if (contents === undefined) return undefined;
    const writer = new SchemaWriter('v2', this.#options.descriptions, this.release);
    this.#addSchemas(contents, writer, 'v2', definitions);
    return partV2(contents.paths, writer, pause);
  }

  async #contentsOf(
    name: string,
    groups: readonly DescribedGroup[],
    pause: () => Promise<void>,
  ): Promise<Contents | undefined> {
    const fixed = this.#documentPaths(name, groups);
    if (fixed !== undefined) return { paths: fixed, resources: [] };
    const found = this.#lookup(groups).versions.get(name);
    if (found === undefined) return undefined;
    const { group, version, resources } = found;
    const paths = areCustom(resources)
      ? []
      : [groupVersionPath(apiRootOf(group, version), group, version, this.#paths.mediaTypes)];
    for (const row of resources) {
      paths.push(...new ResourcePaths(row, this.#paths).paths());
      await pause();
    }
    return { paths, resources };
  }

  #lookup(groups: readonly DescribedGroup[]): Lookup {
    let lookup = this.#lookups.get(groups);
    if (lookup === undefined) {
      lookup = lookupOf(groups);
      this.#lookups.set(groups, lookup);
    }
    return lookup;
  }

  /** The paths of a document without resources. */
  #documentPaths(name: string, groups: readonly DescribedGroup[]): readonly Path[] | undefined {
    switch (name) {
      case 'api':
        return this.#lookup(groups).groups.has('') ? [apiPath(MEDIA_TYPES)] : undefined;
      case 'apis':
        return [apisPath(MEDIA_TYPES)];
      case 'version':
        return [VERSION_PATH];
      case '.well-known/openid-configuration':
        return this.#options.issuer ? [ISSUER_PATH] : undefined;
      case 'openid/v1/jwks':
        return this.#options.issuer ? [KEY_SET_PATH] : undefined;
    }
    const group = name.startsWith('apis/') ? name.slice('apis/'.length) : '';
    return group !== '' && this.#lookup(groups).groups.has(group)
      ? [groupPath(group, MEDIA_TYPES)]
      : undefined;
  }

  /** Adds the schemas of messages that the paths refer to. */
  #addSchemas(
    { paths, resources }: Contents,
    writer: SchemaWriter,
    dialect: Dialect,
    found: Map<string, Schema>,
  ): void {
    const referenced = new Set<string>();
    for (const { operations } of paths) {
      for (const { body, responses } of operations) {
        if (body !== undefined) referenced.add(body.schema);
        for (const [, content] of responses) if (content !== 'text') referenced.add(content.schema);
      }
    }
    if (referenced.has(VERSION_INFO) && !found.has(VERSION_INFO))
      found.set(VERSION_INFO, versionSchema(dialect === 'v3', this.release));
    if (referenced.has(PATCH) && !found.has(PATCH)) found.set(PATCH, PATCH_SCHEMA);
    const types = [...this.#candidates(resources)].filter(
      ({ openapi }) => openapi !== undefined && referenced.has(openapi),
    );
    writer.addClosure(types, found);
    if (resources.some(({ customKind }) => customKind !== undefined))
      writer.addClosure(this.#metadataTypes(), found);
  }

  /** The messages of metadata, which schemas of custom kinds refer to. */
  #metadataTypes(): MessageType[] {
    return ['ConfigMap', 'ConfigMapList'].flatMap((kind) =>
      (this.#options.kindType('', 'v1', kind)?.jsonFields ?? [])
        .filter(({ name }) => name === 'metadata')
        .flatMap(({ type: { message } }) => (message === undefined ? [] : [message])),
    );
  }

  /** Messages that operations on these resources can reference. */
  *#candidates(resources: readonly DescribedResource[]): Iterable<MessageType> {
    const { kindType } = this.#options;
    const named = [
      ...MACHINERY.map((kind) => ['', 'v1', kind] as const),
      ...resources.flatMap(({ group, version, kind, listKind, subresources }) => [
        [group, version, kind] as const,
        [group, version, listKind] as const,
        ...subresources.map((one) => [one.group ?? group, one.version ?? version, one.kind] as const),
      ]),
    ];
    for (const [group, version, kind] of named) {
      const type = kindType(group, version, kind);
      if (type !== undefined) yield type;
    }
  }
}

const inOrder = (schemas: ReadonlyMap<string, Schema>): Record<string, Schema> =>
  Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));

const MACHINERY = [
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'DeleteOptions',
  'Status',
  'WatchEvent',
];
const PATCH_SCHEMA = { description: 'Patch in one of the supported formats.', type: 'object' };
