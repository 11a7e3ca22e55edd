import { gzipBody } from '../../connection/compress.ts';
import type { Exchange } from '../../connection/exchange.ts';
import type { Dialect, Schema } from '../../openapi/document.ts';
import type { DocumentBuilder } from '../../openapi/documents.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { processClock } from '../../time/clock.ts';
import { send } from '../response/answer.ts';
import { parseAccept } from '../response/negotiation.ts';
import { type DocumentState, refusedByCondition } from './conditions.ts';
import { type Encoding, encodeDocument } from './openapi-encoding.ts';
import { type Bytes, type DescribedSource, type Entry, type Index, OpenApiIndex } from './openapi-index.ts';
import {
  type MergedParts,
  mergedAddresses,
  mergeParts,
  prefixedAddresses,
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
  /**
   * Resolves when this server serves every kind that the store had at the call; absent if it always does. A
   * client may have found a kind in the discovery of another server.
   */
  readonly catchUp?: () => Promise<void>;
  /** Wall time in milliseconds; default: the system's. */
  readonly now?: () => number;
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
  readonly #indexChange: LastChange;
  readonly #v2Change: LastChange;
  readonly #indexBytes = new Last((addresses: string) => Buffer.from(addresses));
  readonly #modifiedText = new Last((seconds: number) => new Date(seconds * 1000).toUTCString());
  #builder: Promise<DocumentBuilder> | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
    const { now = processClock.now } = options;
    this.#indexChange = new LastChange(now);
    this.#v2Change = new LastChange(now);
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
      // Times in headers are whole seconds: a client may have the index from before a change in the same second.
      const modified = this.#indexChange.of(addresses) + 1000;
      if (this.#isRefused(context, { modified }, this.#indexChange.show())) return;
      const { pathPrefix } = context.exchange;
      const shown =
        pathPrefix === undefined ? this.#indexBytes.of(addresses) : prefixedAddresses(addresses, pathPrefix);
      return send(context, 200, 'text/plain; charset=utf-8', shown);
    }
    const entry = index.entries.get(name);
    if (entry === undefined && remote?.indexed.has(name) === true) return remote.serve(context, name);
    if (entry === undefined) return respond(context, 404);
    return this.#answer(context, 'v3', entry, (encoding) =>
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
    const state = { name: '', hash, modified: this.#v2Change.of(hash) };
    return this.#answer(context, 'v2', state, (encoding) =>
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
    { name, hash, modified }: Pick<Entry, 'name' | 'hash' | 'modified'>,
    document: (encoding: Encoding) => Promise<Bytes>,
  ): Promise<void> {
    const { exchange } = context;
    // As in kube-apiserver, only the document of version 2 is compressed.
    const compressible = dialect === 'v2';
    if (compressible) exchange.setHeader('vary', 'Accept-Encoding');
    exchange.setHeader('vary', 'Accept', true);
    const encoding = acceptedEncoding(exchange.header('accept'), dialect);
    if (encoding === undefined || encoding === 'none')
      return respond(context, encoding === 'none' ? 200 : 406);
    const tag = `"${encoding === 'json' ? hash : `${hash}-protobuf`}"`;
    exchange.setHeader('etag', tag);
    const contentType = encoding === 'json' ? 'application/json' : PROTOBUF[dialect][0]!;
    const requestedHash = compressible ? '' : context.query.get('hash');
    if (requestedHash !== '' && requestedHash !== hash) {
      exchange.setHeader('location', `${exchange.pathPrefix ?? ''}/openapi/v3/${name}?hash=${hash}`);
      return respond(context, 301, contentType);
    }
    if (requestedHash !== '') {
      // The URL contains the hash, so its content never changes.
      exchange.setHeader('cache-control', 'public, immutable');
      exchange.setHeader('expires', new Date(processClock.now() + YEAR).toUTCString());
    }
    if (this.#isRefused(context, { tag, modified })) return;
    const { plain, compressed } = await document(encoding);
    const small = !compressible || plain.length < SMALLEST_COMPRESSED || !prefersGzip(exchange);
    if (!small) exchange.setHeader('content-encoding', 'gzip');
    await send(context, 200, contentType, small ? plain : compressed, false);
  }

  /**
   * Responds to a request whose conditions exclude the document.
   * @param shown time of the last change for the client, in milliseconds since 1970
   */
  #isRefused(context: RequestContext, state: DocumentState, shown = state.modified): boolean {
    const status = refusedByCondition(context.exchange, state);
    if (status !== 304 || state.tag === undefined)
      context.exchange.setHeader('last-modified', this.#modifiedText.of(Math.floor(shown / 1000)));
    if (status === undefined) return false;
    respond(context, status);
    return true;
  }

  async #current(): Promise<{ readonly builder: DocumentBuilder; readonly index: Index }> {
    this.#builder ??= this.#options.builder();
    const builder = await this.#builder;
    // Documents do not need the store: without it they describe what is known.
    await this.#options.catchUp?.().catch(() => undefined);
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

function respond(context: RequestContext, status: number, contentType?: string): void {
  context.status = status;
  context.exchange.respond(status, contentType, '');
}

/**
 * The first encoding that the client accepts; JSON by default. `none` if no clause is well-formed, which
 * version 3 answers with nothing.
 */
function acceptedEncoding(accept: string | undefined, dialect: Dialect): Encoding | 'none' | undefined {
  if (accept === undefined || accept === '') return 'json';
  const clauses = parseAccept(accept);
  for (const { type } of clauses) {
    const [main = '', subtype = ''] = type.split('/');
    if (main !== 'application' && main !== '*') continue;
    if (subtype === 'json' || subtype === '*') return 'json';
    if (PROTOBUF[dialect].includes(`application/${subtype}`)) return 'protobuf';
  }
  return clauses.length === 0 && dialect === 'v3' ? 'none' : undefined;
}

/** Whether the client accepts gzip with a quality above 0. */
function prefersGzip(exchange: Exchange): boolean {
  let quality = 0;
  for (const coding of (exchange.header('accept-encoding') ?? '').split(',')) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
    if (name.toLowerCase() === 'gzip')
      quality = Number(parameters.findLast((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  }
  return quality > 0;
}

/** Caches the result of a function for its last argument. */
class Last<From, To> {
  readonly #make: (value: From) => To;
  #value: From | undefined;
  #made: To | undefined;

  constructor(make: (value: From) => To) {
    this.#make = make;
  }

  of(value: From): To {
    if (value !== this.#value || this.#made === undefined) {
      this.#value = value;
      this.#made = this.#make(value);
    }
    return this.#made;
  }
}

/**
 * When a value was last seen to change, in milliseconds since 1970. A change is never before a time that clients
 * were shown, also when the clock was set back: they would keep the former value until the next change.
 */
class LastChange {
  readonly #now: () => number;
  #value: string | undefined;
  #time = 0;
  #shown = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(value: string): number {
    if (value !== this.#value) {
      this.#value = value;
      this.#time = Math.max(this.#now(), this.#shown);
    }
    return this.#time;
  }

  /** The present time, to be shown as that of the value. */
  show(): number {
    this.#shown = Math.max(this.#now(), this.#shown);
    return this.#shown;
  }
}
