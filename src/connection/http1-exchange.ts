import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BodySource, parseContentLength } from './body-reader.ts';
import { closedBodyWriter, StreamBodyWriter } from './body-writer.ts';
import { BodyMalformedError, type BodyWriter, bytesOfBody, type ResponseBody } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import { Http1Body } from './http1-body.ts';
import type { Http1Connection } from './http1-connection.ts';
import {
  canonicalHeaderName,
  headersByName,
  headerValue,
  replaceOutgoingHeader,
} from './outgoing-headers.ts';

/** Headers whose values are lists of tokens, wherever they are; the values of others are those of the first one. */
const LISTS = new Set(['connection', 'upgrade', 'transfer-encoding', 'sec-websocket-protocol']);
/** An unread request body up to this size is discarded so that the connection can be reused. */
const REUSE_BYTES = 256 * 1024;
const DIRECT_BYTES = 256 * 1024;

/** The path of an absolute-form target (`GET http://host/path`), any other target as it is. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * One HTTP/1.1 request. An upgrade request may be taken over; any other response to it closes the connection.
 */
export class Http1Exchange extends HttpExchange<Http1Connection> {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/1.1';
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #upgradeHead: Buffer | undefined;
  #expectsContinue: boolean;
  #body: Http1Body | undefined;

  constructor(
    connection: Http1Connection,
    request: IncomingMessage,
    response: ServerResponse,
    options: { expectsContinue?: boolean; upgradeHead?: Buffer } = {},
  ) {
    super(connection);
    this.#request = request;
    this.#response = response;
    this.#upgradeHead = options.upgradeHead;
    this.#expectsContinue = options.expectsContinue === true;
    this.method = request.method ?? 'GET';
    this.target = originForm(request.url ?? '/');
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    response.on('close', this.#onClose);
  }

  /** Whether the whole response was written. */
  get isAnswered(): boolean {
    return this.#response.writableEnded;
  }

  /** Whether the request has been received completely. */
  get received(): boolean {
    return this.#request.complete;
  }

  get host(): string {
    return this.#request.headers.host ?? '';
  }

  get hasBody(): boolean {
    const { headers } = this.#request;
    return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  }

  header(name: string): string | undefined {
    const headers = this.#request.headers;
    if (!Object.hasOwn(headers, name)) return undefined;
    const value = headers[name];
    const joined = Array.isArray(value) ? value.join(', ') : value;
    // Node.js joins the values of a repeated header.
    return joined?.includes(',') === true && !LISTS.has(name) ? this.#firstValue(name) : joined;
  }

  #firstValue(name: string): string | undefined {
    const raw = this.#request.rawHeaders;
    for (let index = 0; index < raw.length; index += 2)
      if (raw[index]!.toLowerCase() === name) return raw[index + 1];
    return undefined;
  }

  headerValues(name: string): readonly string[] {
    const values: string[] = [];
    for (const [key, value] of this.headers()) if (key === name) values.push(value);
    return values;
  }

  *headers(): Generator<readonly [string, string]> {
    const raw = this.#request.rawHeaders;
    for (let index = 0; index < raw.length; index += 2) yield [raw[index]!.toLowerCase(), raw[index + 1]!];
  }

  override readBody(limit: number): Promise<Buffer> {
    if (this.#hasUnreadableBody())
      return Promise.reject(new BodyMalformedError('an upgrade request must not have a body'));
    return super.readBody(limit);
  }

  respond(status: number, contentType: string | undefined, body: ResponseBody): void {
    if (!this.claimAnswer()) return;
    const response = this.#response;
    const bytes = bytesOfBody(body);
    if (status !== 204 && status !== 304) {
      replaceOutgoingHeader(this.outgoing, 'content-length', String(bytes.length));
      this.answerBytes = bytes.length;
    }
    const lingers = this.#hasLargeUnreadBody();
    this.#sendHeaders(status, contentType, lingers);
    if (lingers) this.#respondThenLinger(bytes);
    else if (bytes.length <= DIRECT_BYTES) response.end(bytes);
    else if (this.method === 'HEAD') response.end();
    else this.#newWriter().writeAll(bytes);
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    if (!this.claimAnswer()) return closedBodyWriter;
    if (headers !== undefined) for (const name of Object.keys(headers)) this.setHeader(name, headers[name]!);
    this.#sendHeaders(status, contentType, false);
    if (this.method === 'HEAD') {
      this.#response.end();
      return closedBodyWriter;
    }
    // A watch may have no events for a while: send the headers immediately.
    this.#response.flushHeaders();
    return this.#newWriter();
  }

  takeover(): { socket: Duplex; head: Buffer } | undefined {
    if (this.#upgradeHead === undefined || !this.claimAnswer()) return undefined;
    const socket = this.connection.socket;
    this.#response.off('close', this.#onClose);
    this.#response.detachSocket(socket);
    if (socket.destroyed) this.finish(false);
    else socket.once('close', () => this.finish(true));
    return { socket, head: this.#upgradeHead };
  }

  abort(): void {
    this.connection.socket.destroy();
    this.finish(false);
  }

  protected get requestBody(): BodySource {
    this.#body ??= new Http1Body(this.#request);
    return this.#body;
  }

  protected unsentBytes(): number {
    return this.responded && !this.#response.destroyed ? this.#response.writableLength : 0;
  }

  protected inviteBody(): void {
    if (!this.#expectsContinue || this.responded) return;
    this.#expectsContinue = false;
    this.#response.writeContinue();
  }

  readonly #onClose = (): void => this.finish(this.#response.writableFinished);

  /** Node's parser does not frame the bytes after an upgrade request. */
  #hasUnreadableBody(): boolean {
    return (
      this.#upgradeHead !== undefined &&
      (this.header('transfer-encoding') !== undefined ||
        (parseContentLength(this.header('content-length')) ?? 0) > 0)
    );
  }

  /** Whether the rest of the request body is too large to be discarded. */
  #hasLargeUnreadBody(): boolean {
    if (this.#request.complete || this.#upgradeHead !== undefined) return false;
    if (this.header('transfer-encoding') !== undefined) return true;
    const declared = parseContentLength(this.header('content-length')) ?? 0;
    return declared > REUSE_BYTES || (declared > 0 && this.#expectsContinue);
  }

  #sendHeaders(status: number, contentType: string | undefined, close: boolean): void {
    const headers = headersByName(this.outgoing, canonicalHeaderName);
    if (contentType !== undefined) headers['Content-Type'] = headerValue(contentType);
    // As in Go, the response to a request with `Connection: close` repeats the header, except in HTTP/1.0.
    const ends = !this.#response.shouldKeepAlive && this.#request.httpVersion === '1.1';
    if (close || ends || this.connection.closing || this.#upgradeHead !== undefined)
      headers['Connection'] = 'close';
    // HTTP/1.1 keeps connections alive by default, and kube-apiserver does not send the header.
    else this.#response.removeHeader('Connection');
    this.#response.writeHead(status, headers);
  }

  /**
   * Closing a socket with unread bytes resets it, and the client may lose the response. So this sends the
   * response, discards input for a while, and then closes.
   */
  #respondThenLinger(bytes: Uint8Array): void {
    const { lingerBytes, lingerTimeout } = this.connection.limits;
    const request = this.#request;
    const response = this.#response;
    if (this.method !== 'HEAD' && bytes.length > 0) response.write(bytes);
    else response.flushHeaders();
    let discarded = 0;
    const timer = setTimeout(() => close(), lingerTimeout);
    const close = (): void => {
      clearTimeout(timer);
      request.off('data', discard);
      response.end();
    };
    const discard = (chunk: Buffer): void => {
      discarded += chunk.length;
      if (discarded > lingerBytes) close();
    };
    request.on('data', discard).once('end', close).once('close', close).resume();
  }

  #newWriter(): StreamBodyWriter {
    const writer = new StreamBodyWriter(this.#response, this.connection, () => this.abort());
    this.writer = writer;
    return writer;
  }
}
