import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { TXN } from '../../../src/storage/etcd/paths.ts';

/**
 * What becomes of one transaction: it is forwarded, its request is lost, or its answer is lost once etcd has sent it
 * and a promise has resolved.
 */
export type Fate = 'forwarded' | 'request lost' | Promise<void>;

/** An HTTP/2 proxy in front of one endpoint that holds and loses single transactions. */
export class AnswerProxy {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #upstream: ClientHttp2Session;

  /**
   * @param target URL of the endpoint
   * @param fateOf decides about a transaction, given its message as text with one byte per character
   */
  constructor(
    target: string,
    private readonly fateOf: (message: string) => Fate,
  ) {
    this.#upstream = connect(target);
    this.#upstream.on('error', () => undefined);
    this.#server = createServer();
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => this.#forward(stream, headers));
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#upstream.destroy();
    for (const session of this.#sessions) session.destroy();
    await once(this.#server.close(), 'close');
  }

  #forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    if (headers[':path'] !== TXN) {
      this.#pass(stream, headers).on('response', () => undefined);
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const request = Buffer.concat(chunks);
      const fate = this.fateOf(request.toString('latin1', 5));
      if (fate === 'request lost') stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      else if (fate === 'forwarded') this.#pass(stream, headers, request);
      else {
        const answered = once(this.#request(headers, request).resume(), 'end');
        void Promise.all([answered, fate])
          .catch(() => undefined)
          .then(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
      }
    });
  }

  #request(headers: IncomingHttpHeaders, body?: Buffer) {
    const call = this.#upstream.request({
      ':method': 'POST',
      ':path': headers[':path'],
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => undefined);
    if (body !== undefined) call.end(body);
    return call;
  }

  /** Forwards a call in both directions. */
  #pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body?: Buffer) {
    const call = this.#request(headers, body);
    let trailers: IncomingHttpHeaders = {};
    call.on('response', (response) => {
      const isOver = response['grpc-status'] !== undefined;
      if (stream.destroyed) return;
      stream.respond(response, { waitForTrailers: !isOver, endStream: isOver });
      if (!isOver) call.pipe(stream);
    });
    call.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => call.close(constants.NGHTTP2_CANCEL));
    call.on('close', () => {
      if (!stream.writableEnded) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    if (body === undefined) stream.pipe(call);
    return call;
  }
}
