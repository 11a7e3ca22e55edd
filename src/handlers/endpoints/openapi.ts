import { gzipBody } from '../../connection/compress.ts';
import type { Dialect, Schema } from '../../openapi/document.ts';
import type { DocumentBuilder } from '../../openapi/documents.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { acceptsGzip, send } from '../response/answer.ts';
import { parseAccept } from '../response/negotiation.ts';
import { type Encoding, encodeDocument } from './openapi-encoding.ts';
import { type Bytes, type DescribedSource, type Index, OpenApiIndex } from './openapi-index.ts';
import {
  type MergedParts,
  mergedAddresses,
  mergeParts,
  type RemoteDocuments,
  type RemotePart,
} from './openapi-remote.ts';
import { DocumentV2 } from './openapi-v2.ts';
import { type Pause, timeSlices } from './time-slices.ts';

export interface OpenApiOptions {
  readonly sources: readonly DescribedSource[];
  /** Resources that are not served any more, which version 3 documents still describe. */
  readonly former?: DescribedSource;
  /** Creates the document builder; called on first use to keep the start fast. */
  readonly builder: () => Promise<DocumentBuilder>;
  /**
   * Identifies the other inputs of the documents besides the served groups: the build and the feature gates.
   */
  readonly buildId: string;
  /** The documents of extension servers. */
  readonly remote?: RemoteDocuments;
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
 * cached until the resources that it describes change. Its hash is computed from its inputs, so it is known
 * before the document is built.
 */
export class OpenApi {
  readonly #options: OpenApiOptions;
  readonly #index: OpenApiIndex;
  readonly #v2Documents: Readonly<Record<Encoding, DocumentV2>> = {
    json: new DocumentV2('json'),
    protobuf: new DocumentV2('protobuf'),
  };
  #builder: Promise<DocumentBuilder> | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
    this.#index = new OpenApiIndex(options.sources, options.buildId, options.former);
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
    const isIndex = context.info.path === '/openapi/v3';
    const name = context.info.path.slice('/openapi/v3/'.length);
    const { builder, index } = await this.#current();
    const { remote } = this.#options;
    if (isIndex) {
      const addresses = remote === undefined ? index.addresses : mergedAddresses(index, remote);
      return send(context, 200, 'text/plain; charset=utf-8', addresses);
    }
    const entry = index.entries.get(name);
    if (entry === undefined && remote?.indexed.has(name) === true) return remote.serve(context, name);
    if (entry === undefined) return respond(context, 404);
    const { hash } = entry;
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
      cached(entry.documents, encoding, async () => {
        const pause = timeSlices();
        const document = await builder.v3(name, index.groups, pause);
        return encodeDocument(document!, 'v3', encoding, pause);
      }),
    );
  }

  async #v2(context: RequestContext): Promise<void> {
    const { builder, index } = await this.#current();
    const { remote } = this.#options;
    const added = remote?.partsHash ?? '';
    const hash = added === '' ? index.hash : `${index.hash.slice(0, 64)}${added}`;
    const key = (encoding: Encoding) => `${encoding} ${added}`;
    // A document with former parts of extension servers is not asked for again.
    for (const known of index.documents.keys())
      if (known !== key('json') && known !== key('protobuf')) index.documents.delete(known);
    return this.#answer(context, 'v2', hash, (encoding) =>
      cached(
        index.documents,
        key(encoding),
        async () => {
          const pause = timeSlices();
          const merged = added === '' ? undefined : await this.#merged(index, builder, remote!.parts, pause);
          return this.#v2Documents[encoding].assemble(index, builder, pause, merged);
        },
        true,
      ),
    );
  }

  /** Merges parts with the definitions of this server, which are compared in JSON. */
  async #merged(
    index: Index,
    builder: DocumentBuilder,
    parts: readonly RemotePart[],
    pause: Pause,
  ): Promise<MergedParts> {
    const { json } = this.#v2Documents;
    await json.assemble(index, builder, pause);
    return mergeParts(
      parts,
      (name) => {
        const member = json.definition(index, name);
        return member && (JSON.parse(`{${member.toString()}}`) as Record<string, Schema>)[name];
      },
      pause,
    );
  }

  async #answer(
    context: RequestContext,
    dialect: Dialect,
    hash: string,
    document: (encoding: Encoding) => Promise<Bytes>,
  ): Promise<void> {
    const { exchange } = context;
    // As in kube-apiserver, only the document of version 2 is compressed.
    const compressible = dialect === 'v2';
    if (compressible) exchange.setHeader('vary', 'Accept-Encoding');
    exchange.setHeader('vary', 'Accept', true);
    const encoding = acceptedEncoding(exchange.header('accept'), dialect);
    if (encoding === undefined) return respond(context, 406);
    const etag = `"${encoding === 'json' ? hash : `${hash}-protobuf`}"`;
    exchange.setHeader('etag', etag);
    if (matchesEntityTag(exchange.header('if-none-match'), etag)) return respond(context, 304);
    const { plain, compressed } = await document(encoding);
    const small = !compressible || plain.length < SMALLEST_COMPRESSED || !acceptsGzip(context);
    if (!small) exchange.setHeader('content-encoding', 'gzip');
    await send(
      context,
      200,
      encoding === 'json' ? 'application/json' : PROTOBUF[dialect][0]!,
      small ? plain : compressed,
      false,
    );
  }

  async #current(): Promise<{ readonly builder: DocumentBuilder; readonly index: Index }> {
    this.#builder ??= this.#options.builder();
    const builder = await this.#builder;
    return { builder, index: await this.#index.current(builder) };
  }
}

/** Builds one document at a time; concurrent requests share it. A failure is not cached. */
function cached(
  documents: Map<string, Promise<Bytes>>,
  key: string,
  make: () => Promise<Buffer>,
  compresses = false,
): Promise<Bytes> {
  let document = documents.get(key);
  if (document === undefined) {
    document = make().then(async (plain) => ({
      plain,
      compressed: !compresses || plain.length < SMALLEST_COMPRESSED ? plain : await gzipBody(plain),
    }));
    document.catch(() => documents.delete(key));
    documents.set(key, document);
  }
  return document;
}

function respond(context: RequestContext, status: number): void {
  context.status = status;
  context.exchange.respond(status, undefined, '');
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
