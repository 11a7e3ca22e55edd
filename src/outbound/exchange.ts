import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as startRequest,
} from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ConnectionAgent, ConnectionArguments } from './connection-agent.ts';
import { exchangeError } from './failure-text.ts';
import type { OutboundError } from './outbound-error.ts';

/** A response that has begun. */
export interface OutboundStream {
  readonly status: number;
  readonly statusMessage: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /**
   * The body, empty for an upgrade. The caller reads it to its end or destroys it; until then it holds its
   * connection. Fails when the connection breaks or the request is aborted.
   */
  readonly body: Readable;
  /** The connection of a 101 response with the first bytes after the headers; the caller closes it. */
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

export interface ExchangeOptions {
  readonly agent: ConnectionAgent;
  readonly request: ConnectionArguments;
  readonly body: string | Uint8Array | Readable | undefined;
  /** Aborts the request until the response has ended; its reason becomes the error. */
  readonly signal: AbortSignal;
  /** Called once when the connection is no longer used. */
  released(): void;
}

/** A failed attempt. */
class AttemptError extends Error {
  constructor(
    override readonly cause: OutboundError,
    /** The server closed a kept connection before it responded. */
    readonly stale: boolean,
  ) {
    super(cause.message);
  }
}

/**
 * Sends one request over a connection of the agent. Rejects with OutboundError.
 * @param repeatable sends the request again when a kept connection turns out to be closed
 */
export async function exchange(options: ExchangeOptions, repeatable: boolean): Promise<OutboundStream> {
  for (;;) {
    try {
      return await attempt(options);
    } catch (error) {
      const { cause, stale } = error as AttemptError;
      if (stale && repeatable && !(options.body instanceof Readable) && !options.signal.aborted) continue;
      options.released();
      throw cause;
    }
  }
}

/** Methods that send `Content-Length: 0` for an empty body. */
const LENGTH_ALWAYS = new Set(['POST', 'PUT', 'PATCH']);
const STALE = new Set(['ECONNRESET', 'EPIPE']);

function attempt({ agent, request, body, signal, released }: ExchangeOptions): Promise<OutboundStream> {
  return new Promise((resolve, reject) => {
    const outgoing = startRequest({ ...request, agent });
    // Connections are kept by default in HTTP/1.1, and Go's client does not say so either.
    if (outgoing.getHeader('connection') === undefined) outgoing.removeHeader('connection');
    if (body === undefined && !LENGTH_ALWAYS.has(request.method ?? ''))
      outgoing.useChunkedEncodingByDefault = false;
    let response: IncomingMessage | undefined;
    let taken: Duplex | undefined;
    const abort = () => {
      (taken ?? response ?? outgoing).destroy(signal.reason);
      // Without a connection, the request would fail only when the attempt to connect ends.
      reject(new AttemptError(exchangeError(signal.reason, false), false));
    };
    const finish = () => {
      signal.removeEventListener('abort', abort);
      released();
    };
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // After the response has begun, its body reports the failure.
      if (response !== undefined || taken !== undefined) return;
      signal.removeEventListener('abort', abort);
      reject(
        new AttemptError(exchangeError(error, false), outgoing.reusedSocket && STALE.has(error.code ?? '')),
      );
    });
    outgoing.on('response', (incoming) => {
      response = incoming;
      incoming.once('close', finish);
      resolve(streamOf(incoming, undefined));
    });
    outgoing.on('upgrade', (incoming, socket, head) => {
      taken = socket;
      socket.once('close', finish);
      resolve(streamOf(incoming, { socket, head }));
    });
    if (signal.aborted) abort();
    else write(outgoing, body);
  });
}

function write(outgoing: ClientRequest, body: ExchangeOptions['body']): void {
  if (body instanceof Readable) pipeline(body, outgoing, () => undefined);
  else outgoing.end(body);
}

function streamOf(incoming: IncomingMessage, upgraded: OutboundStream['upgraded']): OutboundStream {
  const { statusCode = 0, statusMessage = '', headers, rawHeaders } = incoming;
  return { status: statusCode, statusMessage, headers, rawHeaders, body: incoming, upgraded };
}
