import { createHash } from 'node:crypto';
import { gzipBody } from '../../connection/compress.ts';
import type { Schema } from '../../openapi/document.ts';
import type { DescribedGroup, DocumentMaker } from '../../openapi/documents.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { acceptsGzip, escapeHtml, send } from '../response/answer.ts';
import { parseAccept } from '../response/negotiation.ts';
import { type DiscoverySource, mergeGroups } from './discovery-source.ts';
import { matchesEntityTag } from './openapi-tags.ts';

export interface OpenApiOptions {
  readonly sources: readonly DiscoverySource[];
  /** Makes the maker of documents; called on first use, so that a start does not pay for it. */
  readonly maker: () => Promise<DocumentMaker>;
  /** Whatever changes documents beside the groups served: the build and the feature gates. */
  readonly buildId: string;
}

type Encoding = 'json' | 'protobuf';
type Dialect = 'v2' | 'v3';

/** A document's bytes, plain and compressed. */
interface Bytes {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/** Below this, compressing costs more than it saves. */
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
 * `/openapi/v2` and `/openapi/v3` with the documents below it. A document is made when first asked for and
 * kept until the groups change; its hash is known before, since it is that of what the document is made from.
 */
export class OpenApi {
  readonly #options: OpenApiOptions;
  #generation: string | undefined;
  #groups: readonly DescribedGroup[] = [];
  #hashes = new Map<string, string>();
  /** Hash of everything. */
  #hash = '';
  #addresses = '';
  #documents = new Map<string, Promise<Bytes>>();
  #maker: Promise<DocumentMaker> | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** Handlers by path, `/*` standing for everything below. */
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
    const maker = await this.#current();
    if (name === '') return send(context, 200, 'text/plain; charset=utf-8', this.#addresses);
    const hash = this.#hashes.get(name);
    if (hash === undefined) return respond(context, 404);
    const { exchange, query } = context;
    const asked = query.get('hash');
    if (asked !== '' && asked !== hash) {
      exchange.setHeader('location', `/openapi/v3/${name}?hash=${hash}`);
      return respond(context, 301);
    }
    if (asked !== '') {
      // The address names the contents, so they never change.
      exchange.setHeader('cache-control', 'public, immutable');
      exchange.setHeader('expires', new Date(Date.now() + YEAR).toUTCString());
    }
    return this.#answer(context, 'v3', hash, (encoding) =>
      this.#document(`v3 ${name} ${encoding}`, async () =>
        encode(maker.v3(name, this.#groups)!, 'v3', encoding),
      ),
    );
  }

  async #v2(context: RequestContext): Promise<void> {
    const maker = await this.#current();
    return this.#answer(context, 'v2', this.#hash, (encoding) =>
      this.#document(`v2 ${encoding}`, async () =>
        encode(await maker.v2(this.#groups, nextTurn), 'v2', encoding),
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

  /** Forgets everything when the groups have changed. */
  async #current(): Promise<DocumentMaker> {
    const { sources, maker, buildId } = this.#options;
    this.#maker ??= maker();
    const made = await this.#maker;
    const generation = sources.map((source) => source.generation).join(' ');
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#groups = describedGroups(sources);
      this.#documents = new Map();
      this.#hashes = new Map(
        made
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
    return made;
  }

  /** One document at a time is enough: those who ask meanwhile wait for the same. A failure is not kept. */
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
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function respond(context: RequestContext, status: number): void {
  context.status = status;
  context.exchange.respond(status, undefined, '');
}

/** What a document is made from: the resources of its group version, or all groups with their versions. */
function contentsOf(name: string, groups: readonly DescribedGroup[]): unknown {
  for (const { group, versions } of groups) {
    const found = versions.find(
      ({ version }) => name === (group === '' ? `api/${version}` : `apis/${group}/${version}`),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Discovered resources know their own names only; documents want their group version too. */
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
  return encodeOpenApi(document, dialect, nextTurn);
}

/** The first encoding the client accepts; JSON where it doesn't say. */
function acceptedEncoding(accept: string | undefined, dialect: Dialect): Encoding | undefined {
  if (accept === undefined || accept === '') return 'json';
  for (const { type } of parseAccept(accept)) {
    if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
    if (PROTOBUF[dialect].includes(type)) return 'protobuf';
  }
  return undefined;
}
