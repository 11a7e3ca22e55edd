import { createHash } from 'node:crypto';
import { emptyMetadata } from '../../model/empty-metadata.ts';
import type { TypeModel } from '../../model/type-model.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { builtinSchema, encodeProtobufObject } from '../../resources/object-schema.ts';
import { errors } from '../../status/index.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import {
  encodeJsonDocument,
  jsonText,
  negotiateRequest,
  send,
  servedEncodings,
  wantsPretty,
} from '../response/answer.ts';
import { CONTENT_TYPES, mediaTypes, type Negotiated, type Offer } from '../response/negotiation.ts';
import { pageNotFound } from '../router.ts';
import {
  AggregatedDocuments,
  type AggregatedForm,
  aggregatedForm,
  ENCODINGS,
} from './aggregated-discovery.ts';
import {
  type AggregatedVersion,
  aggregated,
  apiVersions,
  groupDocument,
  groupList,
  resourceList,
} from './discovery-documents.ts';
import {
  type DiscoveredGroup,
  type DiscoveredVersion,
  type DiscoveryOrder,
  type DiscoverySource,
  orderedGroups,
} from './discovery-source.ts';

export interface DiscoveryOptions {
  /** The types of the release. */
  readonly types: TypeModel;
  /** The versions of the aggregated document. */
  readonly aggregatedVersions: readonly AggregatedVersion[];
  /** A version that several sources serve comes from the first of them. */
  readonly sources: readonly DiscoverySource[];
  /** Default: the order of the sources. */
  readonly order?: DiscoveryOrder;
  /** `host:port` at which clients reach the server; read once per generation. */
  readonly serverAddress: () => string;
}

const AGGREGATION_GROUP = 'apiregistration.k8s.io';

const OFFER: Offer = { encodings: ENCODINGS, projections: [] };
/** The documents of groups also match patterns such as `application/*`. */
const PATTERN_OFFER: Offer = { ...OFFER, patterns: true };

/** A document in one encoding. */
interface Document {
  readonly bytes: Uint8Array | string;
  readonly etag: string;
}

/**
 * Serves `/api`, `/apis` and the documents below them, plain or aggregated. Each document is built on first
 * request, once per encoding, and cached until a source changes.
 */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #generation = '';
  #groups = new Map<string, DiscoveredGroup>();
  #documents = new Map<string, MaybePromise<Document>>();
  readonly #metadata: object;
  readonly #aggregatedDocuments: AggregatedDocuments;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#metadata = emptyMetadata(options.types);
    this.#aggregatedDocuments = new AggregatedDocuments(this.#metadata);
  }

  /** Handlers by path; `/*` matches everything below. */
  paths(): (readonly [path: string, handler: Handler])[] {
    const api: Handler = (context) => this.#api(context);
    const apis: Handler = (context) => this.#apis(context);
    return [
      ['/api', api],
      ['/api/*', api],
      ['/apis', apis],
      ['/apis/*', apis],
    ];
  }

  /** Paths of all documents, for the index of `/`. */
  index(): string[] {
    const groups = [...this.#current().values()];
    return [
      '/api',
      '/apis',
      '/apis/',
      ...groups.flatMap(({ group, versions }) =>
        group === ''
          ? versions.map(({ version }) => `/api/${version}`)
          : [`/apis/${group}`, ...versions.map(({ version }) => `/apis/${group}/${version}`)],
      ),
    ];
  }

  #api(context: RequestContext): MaybePromise<void> {
    const [, version, ...rest] = segments(context);
    const core = this.#current().get('');
    const found = core?.versions.find((one) => one.version === version);
    if (core === undefined || rest.length > 0 || (version !== undefined && found === undefined))
      throw errors.pathNotFound();
    if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    if (found !== undefined) return this.#resources(context, '', found);
    const all = () => [core];
    const form = aggregatedForm(context, this.#options.aggregatedVersions);
    if (form !== undefined) return this.#aggregated(context, '/api', form, all);
    return this.#plain(context, 'APIVersions', '/api', () =>
      apiVersions(
        core.versions.map((one) => one.version),
        this.#options.serverAddress(),
      ),
    );
  }

  #apis(context: RequestContext): MaybePromise<void> {
    const [, name, version, ...rest] = segments(context);
    const groups = this.#current();
    if (context.info.path.startsWith('/apis//')) return pageNotFound(context);
    // The group list responds to every method, as kube-apiserver does.
    if (name === undefined) {
      const others = () => [...groups.values()].filter(({ group }) => group !== '');
      const form = aggregatedForm(context, this.#options.aggregatedVersions);
      return form === undefined
        ? this.#groupList(context, others)
        : this.#aggregated(context, '/apis', form, others);
    }
    const group = groups.get(name);
    if (group === undefined) return pageNotFound(context);
    const found = group.versions.find((one) => one.version === version);
    if (rest.length > 0 || (version !== undefined && found === undefined)) {
      if (group.versions.some(isBuiltin)) throw errors.pathNotFound();
      return pageNotFound(context);
    }
    const document = (offer?: Offer) =>
      this.#plain(context, 'APIGroup', `/apis/${name}`, () => groupDocument(group), offer);
    // Like the list of groups, the document of a group is served for every method, except the aggregator's own.
    if (found === undefined && name !== AGGREGATION_GROUP)
      return this.#anyForm(() => document(PATTERN_OFFER));
    if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    return found === undefined ? document() : this.#resources(context, name, found);
  }

  /** The resources of a version. Those of built-in kinds are also served as CBOR, if their objects are. */
  #resources(context: RequestContext, group: string, found: DiscoveredVersion): MaybePromise<void> {
    if (found.problem !== undefined) throw found.problem;
    const path = group === '' ? `/api/${found.version}` : `/apis/${group}/${found.version}`;
    const offer = isBuiltin(found) ? { ...OFFER, encodings: servedEncodings(context) } : OFFER;
    return this.#plain(context, 'APIResourceList', path, () => resourceList(group, found), offer);
  }

  #groupList(context: RequestContext, groups: () => readonly DiscoveredGroup[]): MaybePromise<void> {
    return this.#anyForm(() =>
      this.#plain(context, 'APIGroupList', '/apis', () => groupList(groups()), PATTERN_OFFER),
    );
  }

  /** The documents of groups return the same 406 error for every unsupported media type. */
  #anyForm(send: () => MaybePromise<void>): MaybePromise<void> {
    try {
      return send();
    } catch {
      throw errors.notAcceptableForm(mediaTypes(ENCODINGS));
    }
  }

  /** Returns the current groups; clears the document cache when a source has changed. */
  #current(): ReadonlyMap<string, DiscoveredGroup> {
    const { sources, order } = this.#options;
    const generation =
      sources.length === 1 && order === undefined
        ? String(sources[0]!.generation)
        : `${sources.map((source) => source.generation).join(' ')} ${order?.generation}`;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#groups = new Map(orderedGroups(sources, order).map((group) => [group.group, group]));
      this.#documents = new Map();
      this.#aggregatedDocuments.retain(this.#groups);
    }
    return this.#groups;
  }

  #plain(
    context: RequestContext,
    kind: string,
    path: string,
    make: () => object,
    offer: Offer = OFFER,
  ): MaybePromise<void> {
    const negotiated = negotiateRequest(context, offer);
    if (context.audit?.recordsResponseBody) context.audit.setResponseBody(jsonText(make()));
    return then(
      this.#document(context, path, { group: '', version: 'v1', kind }, negotiated, make),
      ({ bytes }) => send(context, 200, negotiated.contentType, bytes),
    );
  }

  /** Sends the aggregated document in the requested form. */
  #aggregated(
    context: RequestContext,
    path: string,
    form: AggregatedForm,
    groups: () => readonly DiscoveredGroup[],
  ): MaybePromise<void> {
    const { version, encoding } = form;
    const pretty = encoding === 'json' && wantsPretty(context);
    const contentType = `${CONTENT_TYPES[encoding]};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const negotiated: Negotiated = { encoding, projection: 'object', metaVersion: 'v1', contentType, pretty };
    const kind = { group: 'apidiscovery.k8s.io', version, kind: 'APIGroupDiscoveryList' };
    return then(
      this.#document(
        context,
        path,
        kind,
        negotiated,
        () => aggregated(groups(), version, this.#metadata),
        () => this.#aggregatedDocuments.json(groups(), version),
      ),
      ({ bytes, etag }) => {
        const { exchange } = context;
        exchange.setHeader('etag', etag);
        exchange.setHeader('vary', 'Accept');
        exchange.setHeader('cache-control', 'public');
        if (exchange.header('if-none-match') !== etag) {
          if (context.audit?.recordsResponseBody)
            context.audit.setResponseBody(jsonText(aggregated(groups(), version, this.#metadata)));
          return send(context, 200, contentType, bytes);
        }
        context.status = 304;
        exchange.respond(304, undefined, '');
      },
    );
  }

  #document(
    { turns }: RequestContext,
    path: string,
    { group, version, kind }: { group: string; version: string; kind: string },
    negotiated: Negotiated,
    make: () => object,
    makeJson: () => string = () => jsonText(make()),
  ): MaybePromise<Document> {
    const key = `${path} ${kind} ${version} ${negotiated.encoding} ${negotiated.pretty}`;
    let document = this.#documents.get(key);
    if (document === undefined) {
      const documents = this.#documents;
      document = this.#encode(turns, group, version, kind, negotiated, make, makeJson()).then((made) => {
        documents.set(key, made);
        return made;
      });
      documents.set(key, document);
    }
    return document;
  }

  async #encode(
    turns: LoopTurns,
    group: string,
    version: string,
    kind: string,
    negotiated: Negotiated,
    make: () => object,
    json: string,
  ): Promise<Document> {
    const etag = `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"`;
    if (negotiated.encoding !== 'protobuf')
      return { bytes: Buffer.from(await encodeJsonDocument(turns, json, negotiated)), etag };
    const schema = builtinSchema(this.#options.types, group, version, kind)!;
    // The documents of the core group have no apiVersion.
    const made = make() as { readonly apiVersion?: string };
    const typeMeta = { apiVersion: made.apiVersion ?? '', kind };
    return { bytes: encodeProtobufObject(schema, typeMeta, schema.fromPlain(made).value), etag };
  }
}

function segments({ info }: RequestContext): string[] {
  return info.path.split('/').filter((segment) => segment !== '');
}

const then = <T>(value: MaybePromise<T>, next: (value: T) => MaybePromise<void>): MaybePromise<void> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Whether a version is neither an extension server's nor one of custom resources alone. */
const isBuiltin = ({ remote, resources }: DiscoveredVersion): boolean =>
  remote === undefined && !resources.every(({ customKind }) => customKind !== undefined);
