import type { MessageType } from '../schema/message.ts';
import type { Dialect, Path, Schema } from './document.ts';
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
import { type DescribedResource, PATCH, type PathOptions, ResourcePaths, rootOf } from './resource-paths.ts';
import { type Descriptions, SchemaWriter } from './schemas.ts';
import { DocumentV2 } from './v2.ts';
import { documentV3 } from './v3.ts';

export interface DescribedGroup {
  readonly group: string;
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly DescribedResource[];
  }[];
}

export interface DocumentOptions extends Pick<PathOptions, 'kindType' | 'deleteReturnsObject'> {
  readonly descriptions: Descriptions;
  /** Whether CBOR is among the media types. */
  readonly cbor: boolean;
  /** Whether the documents of the service account issuer are served. */
  readonly issuer: boolean;
}

const MEDIA_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const STREAM_TYPES = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Builds OpenAPI documents from the served resources and the type model. Pure, but slow: callers cache the
 * documents.
 */
export class DocumentBuilder {
  readonly #options: DocumentOptions;
  readonly #paths: PathOptions;

  constructor(options: DocumentOptions) {
    this.#options = options;
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
      ...(group === '' ? ['api'] : [`apis/${group}`]),
      ...versions.map(({ version }) => rootOf(group, version).slice(1)),
    ];
    const issuer = this.#options.issuer ? ['.well-known/openid-configuration', 'openid/v1/jwks'] : [];
    return [...groups.flatMap(ofGroup), 'apis', 'version', ...issuer].sort();
  }

  /** One version 3 document, or undefined for an unknown name. */
  v3(name: string, groups: readonly DescribedGroup[]): Schema | undefined {
    const paths = this.#pathsOf(name, groups);
    if (paths === undefined) return undefined;
    const writer = new SchemaWriter('v3', this.#options.descriptions);
    const schemas = new Map<string, Schema>();
    this.#addSchemas(paths, groups, writer, 'v3', schemas);
    return documentV3(paths, inOrder(schemas), writer);
  }

  /**
   * The version 2 document of all resources.
   * @param pause awaited between its parts, to yield to the event loop
   */
  async v2(groups: readonly DescribedGroup[], pause: () => Promise<void>): Promise<Schema> {
    const writer = new SchemaWriter('v2', this.#options.descriptions);
    const document = new DocumentV2(writer);
    const definitions = new Map<string, Schema>();
    for (const name of this.names(groups)) {
      const paths = this.#pathsOf(name, groups)!;
      document.add(paths);
      this.#addSchemas(paths, groups, writer, 'v2', definitions);
      await pause();
    }
    return document.finish(inOrder(definitions));
  }

  #pathsOf(name: string, groups: readonly DescribedGroup[]): readonly Path[] | undefined {
    const { mediaTypes } = this.#paths;
    switch (name) {
      case 'api':
        return groups.some(({ group }) => group === '') ? [apiPath(MEDIA_TYPES)] : undefined;
      case 'apis':
        return [apisPath(MEDIA_TYPES)];
      case 'version':
        return [VERSION_PATH];
      case '.well-known/openid-configuration':
        return this.#options.issuer ? [ISSUER_PATH] : undefined;
      case 'openid/v1/jwks':
        return this.#options.issuer ? [KEY_SET_PATH] : undefined;
    }
    for (const { group, versions } of groups) {
      if (group !== '' && name === `apis/${group}`) return [groupPath(group, MEDIA_TYPES)];
      for (const { version, resources } of versions) {
        const root = rootOf(group, version);
        if (root.slice(1) === name)
          return [
            groupVersionPath(root, group, version, mediaTypes),
            ...resources.flatMap((row) => new ResourcePaths(row, this.#paths).paths()),
          ];
      }
    }
    return undefined;
  }

  /** Adds the schemas referenced by the paths. */
  #addSchemas(
    paths: readonly Path[],
    groups: readonly DescribedGroup[],
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
    if (referenced.has(VERSION_INFO)) found.set(VERSION_INFO, versionSchema(dialect === 'v3'));
    if (referenced.has(PATCH)) found.set(PATCH, PATCH_SCHEMA);
    const types = [...this.#candidates(groups)].filter(
      ({ openapi }) => openapi !== undefined && referenced.has(openapi),
    );
    writer.addClosure(types, found);
  }

  /** Messages that operations can reference. */
  *#candidates(groups: readonly DescribedGroup[]): Iterable<MessageType> {
    const { kindType } = this.#options;
    const named = [
      ...MACHINERY.map((kind) => ['', 'v1', kind] as const),
      ...groups.flatMap(({ versions }) =>
        versions.flatMap(({ resources }) =>
          resources.flatMap(({ group, version, kind, listKind, subresources }) => [
            [group, version, kind] as const,
            [group, version, listKind] as const,
            ...subresources.map((one) => [one.group ?? group, one.version ?? version, one.kind] as const),
          ]),
        ),
      ),
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
