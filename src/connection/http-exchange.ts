import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Linked } from '../collections/linked-list.ts';
import { type BodySource, collectBody, parseContentLength } from './body-reader.ts';
import type { Connection } from './connection.ts';
import type { BodyAccount, BodyWriter, Exchange, ResponseBody } from './exchange.ts';
import { type OutgoingHeaders, setOutgoingHeader } from './outgoing-headers.ts';

/** A body writer whose progress is observed. */
export interface ProgressWriter {
  readonly queuedBytes: number;
  /** Bytes written to it, sent or queued. */
  readonly writtenBytes: number;
  /** Bytes accepted by the peer's side so far; constant while the peer stalls. */
  readonly takenBytes: number;
  /** Drops the queue and rejects waiting producers. */
  detach(): void;
}

/** Bytes of a response that a client must take within the stall timeout. */
const LEAST_PROGRESS = 1024;

/** Common base of HTTP/1.1 and HTTP/2 exchanges: life cycle, response headers, body reading, progress. */
export abstract class HttpExchange<C extends Connection = Connection>
  implements Exchange, Linked<HttpExchange>
{
  abstract readonly method: string;
  abstract readonly target: string;
  abstract readonly protocol: 'HTTP/1.1' | 'HTTP/2.0';
  abstract readonly host: string;
  abstract readonly hasBody: boolean;
  previous: HttpExchange | undefined;
  next: HttpExchange | undefined;
  responded = false;
  closed = false;
  protected outgoing: OutgoingHeaders = [];
  protected writer: ProgressWriter | undefined;
  protected bodyAccount: BodyAccount | undefined;
  /** Bytes of the body of a response that was sent as a whole. */
  protected answerBytes = 0;
  #finished = false;
  #controller: AbortController | undefined;
  #callbacks: (() => void)[] | undefined;
  #readingBody = false;
  #bytesRead = 0;
  /** Undefined while nothing is expected of the peer. */
  #progressMark: number | undefined;
  #progressAt = 0;

  constructor(readonly connection: C) {}

  abstract header(name: string): string | undefined;
  abstract headerValues(name: string): readonly string[];
  abstract headers(): Iterable<readonly [string, string]>;
  abstract respond(status: number, contentType: string | undefined, body: ResponseBody): void;
  abstract startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter;
  abstract takeover(): { socket: Duplex; head: Buffer } | undefined;
  abstract abort(): void;
  protected abstract readonly requestBody: BodySource;
  /** Bytes of the response that the kernel has not accepted. */
  protected abstract unsentBytes(): number;
  /** Sends 100 Continue if the client announced its body with `Expect: 100-continue`. */
  protected abstract inviteBody(): void;

  get remoteAddress(): string {
    return this.connection.remoteAddress;
  }

  get remotePort(): number {
    return this.connection.remotePort;
  }

  get peerCertificates(): readonly X509Certificate[] | undefined {
    return this.connection.peerCertificates;
  }

  prefer(isPreferred: boolean): void {
    this.connection.isPreferred = isPreferred;
  }

  setHeader(name: string, value: string, append = false): void {
    setOutgoingHeader(this.outgoing, name, value, append);
  }

  accountBody(account: BodyAccount): void {
    this.bodyAccount = account;
    this.onFinished(() => account.release());
  }

  async readBody(limit: number): Promise<Buffer> {
    const account = this.bodyAccount;
    const declared = parseContentLength(this.header('content-length'));
    const withinLimit = declared === undefined || declared <= limit;
    if (withinLimit) this.#startReading();
    const onBytes = (bytes: number): void => {
      this.#bytesRead += bytes;
    };
    try {
      const body = await collectBody(this.requestBody, { limit, declaredLength: declared, account, onBytes });
      account?.complete();
      return body;
    } catch (error) {
      account?.release();
      throw error;
    } finally {
      this.#readingBody = false;
    }
  }

  async *bodyStream(): AsyncGenerator<Uint8Array, void> {
    this.#startReading();
    for await (const chunk of this.requestBody.chunks()) {
      this.#bytesRead += chunk.length;
      // A slow consumer is not a stall of the client.
      this.#readingBody = false;
      yield chunk;
      this.#readingBody = true;
    }
    this.#readingBody = false;
  }

  get sentBytes(): number {
    return this.writer?.writtenBytes ?? this.answerBytes;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#finished) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  onFinished(callback: () => void): void {
    if (this.#finished) callback();
    else if (this.#callbacks === undefined) this.#callbacks = [callback];
    else this.#callbacks.push(callback);
  }

  /**
   * Whether neither the response nor the body being read has made progress for the stall timeout. Called by
   * the periodic sweep.
   */
  isStalled(now: number): boolean {
    const unsent = this.writer?.queuedBytes ?? this.unsentBytes();
    if (unsent === 0 && !this.#readingBody) {
      this.#progressMark = undefined;
      return false;
    }
    const mark = unsent > 0 ? (this.writer?.takenBytes ?? -unsent) : this.#bytesRead;
    const least = unsent > 0 ? LEAST_PROGRESS : 1;
    if (this.#progressMark === undefined || Math.abs(mark - this.#progressMark) >= least) {
      this.#progressMark = mark;
      this.#progressAt = now;
      return false;
    }
    const { limits, context } = this.connection;
    return (
      now - this.#progressAt >=
      (context.draining ? Math.min(limits.drainStallTimeout, limits.stallTimeout) : limits.stallTimeout)
    );
  }

  /** True when this call may send the response; the first one wins, later ones are dropped. */
  protected claimAnswer(): boolean {
    if (this.responded || this.closed) return false;
    this.responded = true;
    return true;
  }

  /** Called once the exchange has ended in the protocol. */
  protected finish(answered: boolean): void {
    if (this.#finished) return;
    this.#finished = true;
    if (!answered) this.closed = true;
    this.writer?.detach();
    this.connection.finished(this);
    this.#controller?.abort();
    if (this.#callbacks !== undefined) for (const callback of this.#callbacks.splice(0)) callback();
  }

  #startReading(): void {
    this.#readingBody = true;
    this.inviteBody();
  }
}
