import { ErrorCode } from '../http2/protocol.ts';
import type { RequestBody } from '../http2/request-body.ts';
import type { Http2Stream, StreamListener } from '../http2/stream.ts';
import { type BodyReceiver, type BodySource, disconnectedError, refusedError } from './body-reader.ts';
import { closedBodyWriter } from './body-writer.ts';
import type { BodyAccount, BodyWriter, ResponseBody } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import { Http2BodyWriter } from './http2-body-writer.ts';
import type { Http2Connection } from './http2-connection.ts';
import {
  hasOutgoingHeader,
  headerValue,
  httpDate,
  type OutgoingHeaders,
  replaceOutgoingHeader,
} from './outgoing-headers.ts';
import { answerExceedsBounds } from './queue-account.ts';

/** One HTTP/2 stream. */
export class Http2Exchange extends HttpExchange<Http2Connection> implements StreamListener {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/2.0';
  readonly #stream: Http2Stream;
  #isInvited = false;
  #closesConnection = false;

  constructor(connection: Http2Connection, stream: Http2Stream) {
    super(connection);
    this.#stream = stream;
    this.method = stream.head.method;
    this.target = stream.head.path;
    stream.listener = this;
  }

  get host(): string {
    return this.#stream.head.authority;
  }

  get hasBody(): boolean {
    return this.#stream.body !== undefined;
  }

  override accountBody(account: BodyAccount): void {
    super.accountBody(account);
    const { body } = this.#stream;
    if (body === undefined) return;
    account.onReclaimed(() => body.refuse());
    body.countIn(account);
  }

  header(name: string): string | undefined {
    const { fields } = this.#stream.head;
    for (let index = 0; index < fields.length; index += 2)
      if (fields[index] === name) return fields[index + 1];
    return undefined;
  }

  headerValues(name: string): readonly string[] {
    const { fields } = this.#stream.head;
    const values: string[] = [];
    for (let index = 0; index < fields.length; index += 2)
      if (fields[index] === name) values.push(fields[index + 1]!);
    return values;
  }

  *headers(): Generator<readonly [string, string]> {
    const { fields } = this.#stream.head;
    for (let index = 0; index < fields.length; index += 2) yield [fields[index]!, fields[index + 1]!];
  }

  /** `Connection: close` ends the connection after this response. */
  override setHeader(name: string, value: string, append = false): void {
    if (value === 'close' && name.toLowerCase() === 'connection') this.#closesConnection = true;
    else if (this.outgoing !== NO_HEADERS) super.setHeader(name, value, append);
  }

  respond(status: number, contentType: string | undefined, body: ResponseBody): void {
    if (!this.claimAnswer()) return;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const { connection } = this;
    if (answerExceedsBounds(connection, bytes.length)) {
      connection.onOverflow();
      this.abort();
      return;
    }
    if (status !== 204 && status !== 304)
      replaceOutgoingHeader(this.outgoing, 'content-length', String(bytes.length));
    this.answerBytes = bytes.length;
    const fields = this.#takeFields(contentType);
    this.#stream.respond(status, fields, this.method === 'HEAD' ? undefined : bytes);
    this.connection.answered();
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    if (!this.claimAnswer()) return closedBodyWriter;
    if (headers !== undefined) for (const name of Object.keys(headers)) this.setHeader(name, headers[name]!);
    const fields = this.#takeFields(contentType);
    if (this.method === 'HEAD') this.#stream.respond(status, fields, undefined);
    else this.#stream.start(status, fields);
    if (this.#closesConnection) this.connection.closeAfterThis();
    else this.connection.answered();
    if (this.method === 'HEAD') return closedBodyWriter;
    const writer = new Http2BodyWriter(this.#stream, this.connection, this);
    this.writer = writer;
    return writer;
  }

  takeover(): undefined {
    return undefined;
  }

  abort(): void {
    this.reset(ErrorCode.internalError);
  }

  /** Resets the stream with an HTTP/2 error code. */
  reset(code: ErrorCode): void {
    this.#stream.reset(code);
  }

  onSent(): void {
    (this.writer as Http2BodyWriter | undefined)?.onSent();
  }

  onClosed(isComplete: boolean): void {
    this.finish(isComplete);
    // Some clients drop what follows a GOAWAY, so it follows the response.
    if (this.#closesConnection) this.connection.closeAfterThis();
  }

  protected get requestBody(): BodySource {
    const { body, head } = this.#stream;
    return body === undefined ? EMPTY_BODY : new Http2Body(body, head.contentLength);
  }

  protected unsentBytes(): number {
    return this.#stream.queuedBytes;
  }

  protected inviteBody(): void {
    if (this.#isInvited || this.responded || !this.#stream.head.expectsContinue) return;
    this.#isInvited = true;
    this.#stream.inform(100);
  }

  /** The response headers; the exchange does not keep them. */
  #takeFields(contentType: string | undefined): OutgoingHeaders {
    const headers = this.outgoing;
    this.outgoing = NO_HEADERS;
    if (contentType !== undefined) replaceOutgoingHeader(headers, 'content-type', headerValue(contentType));
    if (!hasOutgoingHeader(headers, 'date')) headers.push('date', httpDate());
    return headers;
  }
}

/** Shared by exchanges whose head was sent; nothing is set any more. */
const NO_HEADERS: OutgoingHeaders = [];

const EMPTY_BODY: BodySource = {
  deliver: (receiver) => receiver.onEnd(undefined),
  stop: () => undefined,
  async *chunks() {},
};

class Http2Body implements BodySource {
  readonly #body: RequestBody;
  readonly #expected: number | undefined;

  constructor(body: RequestBody, expected: number | undefined) {
    this.#body = body;
    this.#expected = expected;
  }

  deliver(receiver: BodyReceiver): void {
    this.#body.deliver(
      {
        onChunk: (chunk, isCounted) => receiver.onChunk(chunk, isCounted),
        onEnd: (isComplete) => receiver.onEnd(isComplete ? undefined : this.#endingError()),
      },
      this.#expected,
    );
  }

  stop(): void {
    this.#body.stop();
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    yield* this.#body.chunks(this.#expected);
    if (this.#body.isAborted || this.#body.isRefused) throw this.#endingError();
  }

  #endingError(): Error {
    return this.#body.isRefused ? refusedError() : disconnectedError();
  }
}
