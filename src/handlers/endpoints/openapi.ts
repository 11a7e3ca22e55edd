import { createHash } from 'node:crypto';
import { gzipBody } from '../../connection/compress.ts';
import type { Schema } from '../../openapi/document.ts';
import type { DescribedGroup, DocumentBuilder } from '../../openapi/documents.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { acceptsGzip, escapeHtml, send } from '../response/answer.ts';
import { parseAccept } from '../response/negotiation.ts';
import { type DiscoverySource, mergeGroups } from './discovery-source.ts';

export interface OpenApiOptions {
  readonly sources: readonly DiscoverySource[];
  /** Creates the document builder; called on first use to keep the start fast. */
  readonly builder: () => Promise<DocumentBuilder>;
  /**
   * Identifies the other inputs of the documents besides the served groups: the build and the feature gates.
   */
  readonly buildId: string;
}

type Encoding = 'json' | 'protobuf';
type Dialect = 'v2' | 'v3';

/** A document's bytes, plain and compressed. */
interface Bytes {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/** Documents with fewer bytes are not compressed. */
const SMALLEST_COMPRESSED = 1400;
const YEAR = 365 * 24 * 3600 * 1000;

const PROTOBUF: Readonly<Record<Dialect, readonly string[]>> = {
  v2: [
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  ],
  v3: [
    'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  ],
};

/**
 * Serves `/openapi/v2`, `/openapi/v3` and the documents below. A document is built on first request and
 * cached until the groups change. Its hash is computed from its inputs, so it is known before the document is
 * built.
 */
export class OpenApi {
  readonly #options: OpenApiOptions;
  #generation: string | undefined;
  #groups: readonly DescribedGroup[] = [];
  #hashes = new Map<string, string>();
  /** Hash of all documents. */
  #hash = '';
  #addresses = '';
  #documents = new Map<string, Promise<Bytes>>();
  #builder: Promise<DocumentBuilder> | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** Handlers by path; `/*` matches everything below. */
  paths(): (readonly [path: string, handler: Handler])[] {
    const documents: Handler = (context) => this.#v3(context);
    return [
      ['/openapi/v2', (context) => this.#v2(context)],
      ['/openapi/v3', documents],
      ['/openapi/v3/', documents],
      ['/openapi/v3/*', documents],
    ];
  }

  async #v3(context: RequestContext): Promise<void> {
    const name = context.info.path.slice('/openapi/v3'.length).replace(/^\/|\/$/g, '');
    const builder = await this.#current();
    if (name === '') return send(context, 200, 'text/plain; charset=utf-8', this.#addresses);
    const hash = this.#hashes.get(name);
    if (hash === undefined) return respond(context, 404);
    const { exchange, query } = context;
    const requestedHash = query.get('hash');
    if (requestedHash !== '' && requestedHash !== hash) {
      exchange.setHeader('location', `/openapi/v3/${name}?hash=${hash}`);
      return respond(context, 301);
    }
    if (requestedHash !== '') {
      // The URL contains the hash, so its content never changes.
      exchange.setHeader('cache-control', 'public, immutable');
      exchange.setHeader('expires', new Date(Date.now() + YEAR).toUTCString());
    }
    return this.#answer(context, 'v3', hash, (encoding) =>
      this.#document(`v3 ${name} ${encoding}`, async () =>
        encode(builder.v3(name, this.#groups)!, 'v3', encoding),
      ),
    );
  }

  async #v2(context: RequestContext): Promise<void> {
    const builder = await this.#current();
    return this.#answer(context, 'v2', this.#hash, (encoding) =>
      this.#document(`v2 ${encoding}`, async () =>
        encode(await builder.v2(this.#groups, nextEventLoopIteration), 'v2', encoding),
      ),
    );
  }

  async #answer(
    context: RequestContext,
    dialect: Dialect,
    hash: string,
    document: (encoding: Encoding) => Promise<Bytes>,
  ): Promise<void> {
    const { exchange } = context;
    exchange.setHeader('vary', 'Accept-Encoding');
    exchange.setHeader('vary', 'Accept', true);
    const encoding = acceptedEncoding(exchange.header('accept'), dialect);
    if (encoding === undefined) return respond(context, 406);
    const etag = `"${encoding === 'json' ? hash : `${hash}-protobuf`}"`;
    exchange.setHeader('etag', etag);
    if (matchesEntityTag(exchange.header('if-none-match'), etag)) return respond(context, 304);
    const { plain, compressed } = await document(encoding);
    const small = plain.length < SMALLEST_COMPRESSED || !acceptsGzip(context);
    if (!small) exchange.setHeader('content-encoding', 'gzip');
    await send(
      context,
      200,
      encoding === 'json' ? 'application/json' : PROTOBUF[dialect][0]!,
      small ? plain : compressed,
      false,
    );
  }

  /** Returns the builder; clears all caches when the groups have changed. */
  async #current(): Promise<DocumentBuilder> {
    const { sources, builder, buildId } = this.#options;
    this.#builder ??= builder();
    const current = await this.#builder;
    const generation = sources.map((source) => source.generation).join(' ');
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#groups = describedGroups(sources);
      this.#documents = new Map();
      this.#hashes = new Map(
        current
          .names(this.#groups)
          .map((name) => [
            name,
            hashOf(`${buildId} ${name} ${JSON.stringify(contentsOf(name, this.#groups))}`),
          ]),
      );
      this.#hash = hashOf([...this.#hashes.values()].join(' '));
      const paths = Object.fromEntries(
        [...this.#hashes].map(([name, hash]) => [
          name,
          { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` },
        ]),
      );
      this.#addresses = `${JSON.stringify({ paths })}\n`;
    }
    return current;
  }

  /** Builds one document at a time; concurrent requests share it. A failure is not cached. */
  #document(key: string, make: () => Promise<Buffer>): Promise<Bytes> {
    const documents = this.#documents;
    let document = documents.get(key);
    if (document === undefined) {
      document = make().then(async (plain) => ({
        plain,
        compressed: plain.length < SMALLEST_COMPRESSED ? plain : await gzipBody(plain),
      }));
      document.catch(() => documents.delete(key));
      documents.set(key, document);
    }
    return document;
  }
}

const hashOf = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();
const nextEventLoopIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function respond(context: RequestContext, status: number): void {
  context.status = status;
  context.exchange.respond(status, undefined, '');
}

/** The input of a document: the resources of its group version, or all groups with their versions. */
function contentsOf(name: string, groups: readonly DescribedGroup[]): unknown {
  for (const { group, versions } of groups) {
    const found = versions.find(
      ({ version }) => name === (group === '' ? `api/${version}` : `apis/${group}/${version}`),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Adds the group version to discovered resources, which only have their own names. */
function describedGroups(sources: readonly DiscoverySource[]): DescribedGroup[] {
  return mergeGroups(sources).map(({ group, versions }) => ({
    group,
    versions: versions.map(({ version, resources }) => ({
      version,
      resources: resources.map((resource) => ({
        listKind: `${resource.kind}List`,
        ...resource,
        group,
        version,
      })),
    })),
  }));
}

async function encode(document: Schema, dialect: Dialect, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'json') return Buffer.from(escapeHtml(JSON.stringify(document)));
  const { encodeOpenApi } = await import('../../openapi/protobuf.ts');
  return encodeOpenApi(document, dialect, nextEventLoopIteration);
}

/** The first encoding that the client accepts; JSON by default. */
function acceptedEncoding(accept: string | undefined, dialect: Dialect): Encoding | undefined {
  if (accept === undefined || accept === '') return 'json';
  for (const { type } of parseAccept(accept)) {
    if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
    if (PROTOBUF[dialect].includes(type)) return 'protobuf';
  }
  return undefined;
}

/** Whether an If-None-Match header matches an entity tag: in a list, as a weak tag, or with `*`. */
function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => {
    const text = one.trim();
    return text === '*' || text === tag || text === `W/${tag}`;
  });
}
