import { readFileSync } from 'node:fs';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Endpoint } from './endpoint.ts';

/** Limits of every request. */
export interface RequestBounds {
  /** Milliseconds from the start of a request to the end of its response. */
  readonly timeout: number;
  /** Maximum bytes of a response body; a longer one fails the request. */
  readonly maximumBytes: number;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, appended to the path of the server. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A request got no valid response. The message names the server and never contains request data. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  /** System error code, for example `ECONNRESET`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Sends requests to one server over keep-alive connections. */
export interface HttpClient {
  /** Resolves with a response of any status. Rejects with OutboundError. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  close(): void;
}

/** Maximum concurrent connections to one server; further requests wait, within their timeout. */
const MAXIMUM_CONNECTIONS = 64;

/** Creates a client. Errors of the endpoint are reported by its requests. */
export function createHttpClient(endpoint: Endpoint, { timeout, maximumBytes }: RequestBounds): HttpClient {
  const base = new URL(endpoint.server);
  const secure = base.protocol === 'https:';
  const basePath = base.pathname.replace(/\/$/, '');
  const agent = secure
    ? new SecureAgent({
        keepAlive: true,
        maxSockets: MAXIMUM_CONNECTIONS,
        ...(endpoint.caBundle === undefined ? {} : { ca: endpoint.caBundle }),
        ...(endpoint.serverName === undefined ? {} : { servername: endpoint.serverName }),
        ...(endpoint.certificate === undefined ? {} : { cert: endpoint.certificate, key: endpoint.key }),
        rejectUnauthorized: endpoint.insecure !== true,
      })
    : new PlainAgent({ keepAlive: true, maxSockets: MAXIMUM_CONNECTIONS });

  const send = ({ method, path, headers, body }: OutboundRequest): Promise<OutboundResponse> =>
    new Promise((resolve, reject) => {
      const url = `${base.origin}${basePath}${path}`;
      const fail = (message: string, code?: string) =>
        reject(new OutboundError(`${method} ${base.origin}${basePath}: ${message}`, code));
      const outgoing = (secure ? secureRequest : plainRequest)(url, {
        agent,
        method,
        headers: {
          'user-agent': 'binnacle',
          ...authorization(endpoint),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      });
      const timer = setTimeout(() => {
        fail(`no response within ${timeout / 1000} seconds`, 'ETIMEDOUT');
        outgoing.destroy();
      }, timeout);
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', ({ message, code }: NodeJS.ErrnoException) => fail(message, code));
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        let length = 0;
        incoming.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length <= maximumBytes) chunks.push(chunk);
          else {
            fail(`the response is longer than ${maximumBytes} bytes`);
            outgoing.destroy();
          }
        });
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
          }),
        );
        incoming.on('error', ({ message, code }: NodeJS.ErrnoException) => fail(message, code));
      });
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
}

function authorization({ token, tokenFile, username, password }: Endpoint): Record<string, string> {
  const bearer = tokenFile === undefined ? token : (readToken(tokenFile) ?? token);
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` };
  if (username === undefined && password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}` };
}

/**
 * Returns undefined for a token file that is being replaced: the request is sent without it and at worst
 * denied.
 */
function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
