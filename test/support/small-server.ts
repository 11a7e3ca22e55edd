import { gunzipSync } from 'node:zlib';
import { createAdmissionChain } from '../../src/admission/chain.ts';
import { parseAllocationRange } from '../../src/allocation/allocation-range.ts';
import { ServiceAllocator } from '../../src/allocation/service-allocator.ts';
import type { KnownState } from '../../src/cache/written-states.ts';
import { subresourceHandlers } from '../../src/composition/subresources.ts';
import { virtualResources } from '../../src/composition/virtual-resources.ts';
import { createInProcessExchange } from '../../src/connection/in-process.ts';
import { toApiError } from '../../src/filters/errors.ts';
import type { HandlerEnvironment } from '../../src/handlers/environment.ts';
import { sendError } from '../../src/handlers/response/answer.ts';
import { createRouter } from '../../src/handlers/router.ts';
import { type Scheme, schemeOf } from '../../src/model/scheme.ts';
import type { OperationEnvironment } from '../../src/operations/environment.ts';
import { fieldOwnership } from '../../src/operations/ownership.ts';
import { WriterQueue } from '../../src/operations/writer-queue.ts';
import type { AdmissionPlugin } from '../../src/request/admission.ts';
import { createContext } from '../../src/request/create-context.ts';
import { Resources } from '../../src/resources/resources.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { user } from '../authentication/fixtures.ts';
import { DEPENDENCIES } from './builtin-resources.ts';
import { loopTurns } from './loop-turns.ts';

interface SmallServerOptions {
  readonly storage: Storage;
  /** The release that it implements; default: the default one. */
  readonly scheme?: Scheme;
  readonly plugins?: readonly AdmissionPlugin[];
  /** Random suffixes of generated names, in order. */
  readonly nameSuffix?: () => string;
  readonly writers?: WriterQueue<KnownState>;
  /** The feature gates that are on. */
  readonly gates?: readonly string[];
  /** Serves the kinds that are off by default, too. */
  readonly everyKind?: boolean;
  /** Serves CBOR. */
  readonly cbor?: boolean;
  /** Deadline of requests in monotonic milliseconds; default: none. */
  readonly deadline?: number;
}

interface SmallAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  /** How the body was compressed, if it was: it is decompressed. */
  readonly compression: string | undefined;
  /** The body. */
  readonly bytes: Buffer;
  /** The parsed body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: any response
  readonly object: any;
}

export interface SmallServer {
  /** @param compression value of Accept-Encoding */
  send(
    method: string,
    target: string,
    body?: unknown,
    type?: string,
    accept?: string,
    compression?: string,
  ): Promise<SmallAnswer>;
  readonly resources: Resources;
  readonly operations: OperationEnvironment;
  close(): Promise<void>;
}

/**
 * The router and its handlers over a new store, with the given admission plugins, without filters,
 * controllers and bootstrap objects.
 */
export function smallServer({
  storage,
  scheme = schemeOf(),
  plugins = [],
  nameSuffix = () => 'xxxxx',
  writers = new WriterQueue<KnownState>(),
  deadline = Number.POSITIVE_INFINITY,
  cbor = false,
  gates = [],
  everyKind = false,
}: SmallServerOptions): SmallServer {
  const isOn = (gate: string): boolean => gates.includes(gate);
  const allocator = new ServiceAllocator({
    addressRanges: [parseAllocationRange('10.0.0.0/24')!],
    nodePorts: { first: 30_000, last: 30_009 },
    random: () => 0,
  });
  const resources = new Resources({
    scheme,
    storage,
    dependencies: { ...DEPENDENCIES, allocator, eventSeconds: 60, isOn },
    eventBytes: 1 << 20,
    encodingCacheBytes: 1 << 20,
    ...(everyKind ? { isServed: () => true } : {}),
  });
  const now = () => Date.parse('2030-01-01T00:00:00Z');
  let uids = 0;
  const environment: HandlerEnvironment = {
    resources,
    operations: {
      admission: createAdmissionChain(plugins),
      ownership: fieldOwnership,
      writers,
      now,
      uid: () => `uid-${++uids}`,
      nameSuffix,
      futureRevisionWait: 3000,
      allowPrivileged: false,
      garbageCollection: true,
      isOn,
    },
    authorize: () => ({ decision: 'allow', reason: '' }),
    now,
    features: { watchList: true, unsafeDeletion: false, watchCache: true },
    maximumBodyBytes: 3 << 20,
    minimumWatchSeconds: 1800,
    bookmarkInterval: 60_000,
    countWatchEvents: () => () => undefined,
    waitedForCache: () => undefined,
    watchListed: () => undefined,
  };
  const tokens = {
    issuer: { issue: async () => `.${Buffer.from('{"jti":"id"}').toString('base64url')}.` },
    audiences: ['api'],
    maximumSeconds: 0,
    extend: false,
    reader: {
      secret: () => undefined,
      pod: () => undefined,
      node: () => undefined,
      serviceAccount: () => undefined,
    },
    now,
  };
  const router = createRouter({
    environment,
    paths: { find: () => undefined },
    virtual: virtualResources({
      environment,
      authorizer: {
        authorize: () => ({ decision: 'allow', reason: '' }),
        rules: () => ({ resource: [], nonResource: [], incomplete: false }),
      } as never,
      bearer: undefined as never,
      audiences: [],
      selectors: true,
      storageHealth: () => undefined,
    }),
    subresources: subresourceHandlers({ environment, tokens: tokens as never, access: undefined as never }),
    extensionServer: () => undefined,
  });
  return {
    resources,
    operations: environment.operations,
    async send(method, target, body, type = 'application/json', accept = 'application/json', wanted?) {
      const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const { exchange, response } = createInProcessExchange({
        method,
        target,
        headers: {
          accept,
          'user-agent': 'tester/1',
          ...(wanted === undefined ? {} : { 'accept-encoding': wanted }),
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array) : JSON.stringify(body) }),
      });
      const context = createContext(exchange, loopTurns(), scheme, { compression: true, cbor })!;
      context.user = user('tester');
      context.deadline = deadline;
      // A long response is written while it is read.
      const handled = (async () => router(context))().catch((error: unknown) => {
        const known = toApiError(error);
        if (known === undefined) throw error;
        return sendError(context, known);
      });
      handled.catch(() => exchange.abort());
      const { status, headers, body: stream } = await response;
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      await handled;
      const compression = headers['content-encoding'] as string | undefined;
      const sent = Buffer.concat(chunks);
      const bytes = compression === 'gzip' ? gunzipSync(sent) : sent;
      return {
        status,
        compression,
        warnings: [headers['warning'] ?? []].flat(),
        bytes,
        // Parsed when it is needed: tests measure the server's work.
        get object() {
          return accept.startsWith('application/json') ? JSON.parse(bytes.toString('utf8')) : undefined;
        },
      };
    },
    async close() {
      resources.close();
      await storage.close();
    },
  };
}
