import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { closedBodyWriter, StreamBodyWriter } from './body-writer.ts';
import type { BodyWriter } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import type { Http2Connection } from './http2-connection.ts';
import { headerValue } from './outgoing-headers.ts';

/** Responses up to this size are written to the stream directly. */
const DIRECT_BYTES = 64 * 1024;
const withoutBody = { endStream: true };
const ignoreError = (): void => undefined;

/** The highest status code that Node.js sends over HTTP/2. */
const HIGHEST_STATUS = 599;

/** One HTTP/2 stream. */
export class Http2Exchange extends HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/2.0';
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #rawHeaders: readonly string[];
  #invited = false;

  constructor(
    connection: Http2Connection,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) {
    super(connection);
    this.#stream = stream;
    this.#headers = headers;
    this.#rawHeaders = rawHeaders;
    this.method = headers[':method'] as string;
    this.target = headers[':path'] as string;
    // Stream errors are handled on 'close'.
    stream.on('error', ignoreError);
    stream.on('close', () =>
      this.finish(stream.writableFinished && stream.rstCode === constants.NGHTTP2_NO_ERROR),
    );
  }

  get host(): string {
    return (this.#headers[':authority'] as string | undefined) ?? this.#headers.host ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headerValues(name: string): readonly string[] {
    const values: string[] = [];
    for (const [key, value] of this.headers()) if (key === name) values.push(value);
    return values;
  }

  *headers(): Generator<readonly [string, string]> {
    const raw = this.#rawHeaders;
    for (let index = 0; index < raw.length; index += 2)
      if (!raw[index]!.startsWith(':')) yield [raw[index]!, raw[index + 1]!];
  }

  respond(status: number, contentType: string | undefined, body: Uint8Array | string): void {
    if (!this.claimAnswer()) return;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (status !== 204 && status !== 304) this.outgoing['content-length'] = bytes.length;
    const stream = this.#stream;
    if (!this.#sendHeaders(status, contentType, bytes.length === 0)) return;
    if (bytes.length > 0 && this.method !== 'HEAD') {
      if (bytes.length <= DIRECT_BYTES) stream.end(bytes);
      else this.#newWriter().writeAll(bytes);
    }
    if (!stream.readableEnded && stream.readableFlowing !== null) this.#dropRestOfBody();
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    if (!this.claimAnswer()) return closedBodyWriter;
    if (headers !== undefined) for (const name of Object.keys(headers)) this.setHeader(name, headers[name]!);
    if (!this.#sendHeaders(status, contentType, false) || this.method === 'HEAD') return closedBodyWriter;
    return this.#newWriter();
  }

  takeover(): undefined {
    return undefined;
  }

  abort(): void {
    this.reset(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Resets the stream with an HTTP/2 error code. */
  reset(code: number): void {
    if (!this.#stream.destroyed) this.#stream.close(code);
    this.finish(false);
  }

  protected get requestBody(): Readable {
    return this.#stream;
  }

  protected unsentBytes(): number {
    return this.#stream.destroyed ? 0 : this.#stream.writableLength;
  }

  protected inviteBody(): void {
    if (this.#invited || this.#headers.expect !== '100-continue' || this.responded || this.#stream.destroyed)
      return;
    this.#invited = true;
    this.#stream.additionalHeaders({ ':status': 100 });
  }

  /** False when the stream is closed. */
  #sendHeaders(status: number, contentType: string | undefined, endStream: boolean): boolean {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return false;
    const headers = this.outgoing;
    // Webhooks may deny with any code; HTTP/2 in Node.js has none above 599. The Status in the body has it.
    headers[':status'] = status > HIGHEST_STATUS ? 500 : status;
    if (contentType !== undefined) headers['content-type'] = headerValue(contentType);
    if (endStream) stream.respond(headers, withoutBody);
    else stream.respond(headers);
    (this.connection as Http2Connection).answered();
    return true;
  }

  #newWriter(): StreamBodyWriter {
    this.writer = new StreamBodyWriter(this.#stream, this.connection, () => this.abort());
    return this.writer;
  }

  /** Stops the rest of a refused body: after the response, NO_ERROR makes the client stop sending. */
  #dropRestOfBody(): void {
    const stream = this.#stream;
    const stop = (): void => stream.close(constants.NGHTTP2_NO_ERROR);
    if (stream.writableFinished) stop();
    else stream.once('finish', stop);
  }
}
