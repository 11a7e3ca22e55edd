import { readFileSync } from 'node:fs';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Endpoint } from './endpoint.ts';

/** The bounds of every request. */
export interface RequestBounds {
  /** Milliseconds from the start of a request to the end of its answer. */
  readonly timeout: number;
  /** Bytes of an answer's body; a longer one fails the request. */
  readonly maximumBytes: number;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  /** Appended to the server's own path, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** An answer never came, or was no answer. The text names the server, never what was sent. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  /** Of the connection: `ECONNRESET`, `ECONNREFUSED`, … */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Makes requests to one server over connections that are kept open. */
export interface HttpClient {
  /** Resolves with an answer of any status. Rejects with OutboundError. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  close(): void;
}

/** Connections to one server at a time; more requests wait for one, within their time. */
const MAXIMUM_CONNECTIONS = 64;

/** Makes a client. Throws nothing: faults of the endpoint show when it is used. */
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
        fail(`no answer within ${timeout / 1000} seconds`, 'ETIMEDOUT');
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
            fail(`the answer is longer than ${maximumBytes} bytes`);
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
 * A token file that is just being replaced is no reason to fail: the request is made without, and refused at
 * worst.
 */
function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
