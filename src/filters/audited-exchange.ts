import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { BodyAccount, BodyWriter, Exchange } from '../connection/exchange.ts';
import type { MaybePromise } from '../steps/steps.ts';

const SWITCHING_PROTOCOLS = 101;

/**
 * Called before a status is sent, with whether the response is complete. A promise delays a complete response
 * until it resolves.
 */
export type BeforeResponse = (status: number, whole: boolean) => MaybePromise<unknown>;

/** An exchange that reports its response to the audit first. */
export class AuditedExchange implements Exchange {
  readonly #exchange: Exchange;
  readonly #beforeAnswer: BeforeResponse;
  /** A response has been started, although nothing has been sent yet. */
  #claimed = false;

  constructor(exchange: Exchange, beforeAnswer: BeforeResponse) {
    this.#exchange = exchange;
    this.#beforeAnswer = beforeAnswer;
  }

  get method(): string {
    return this.#exchange.method;
  }

  get target(): string {
    return this.#exchange.target;
  }

  get pathPrefix(): string | undefined {
    return this.#exchange.pathPrefix;
  }

  get protocol(): Exchange['protocol'] {
    return this.#exchange.protocol;
  }

  get host(): string {
    return this.#exchange.host;
  }

  get remoteAddress(): string {
    return this.#exchange.remoteAddress;
  }

  get remotePort(): number {
    return this.#exchange.remotePort;
  }

  get peerCertificates(): readonly X509Certificate[] | undefined {
    return this.#exchange.peerCertificates;
  }

  get responded(): boolean {
    return this.#claimed || this.#exchange.responded;
  }

  get sentBytes(): number {
    return this.#exchange.sentBytes;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get closed(): boolean {
    return this.#exchange.closed;
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name);
  }

  headerValues(name: string): readonly string[] {
    return this.#exchange.headerValues(name);
  }

  headers(): Iterable<readonly [string, string]> {
    return this.#exchange.headers();
  }

  get hasBody(): boolean {
    return this.#exchange.hasBody;
  }

  accountBody(account: BodyAccount): void {
    this.#exchange.accountBody(account);
  }

  readBody(limit: number): Promise<Buffer> {
    return this.#exchange.readBody(limit);
  }

  bodyStream(): AsyncIterable<Uint8Array> {
    return this.#exchange.bodyStream();
  }

  prefer(isPreferred: boolean): void {
    this.#exchange.prefer(isPreferred);
  }

  setHeader(name: string, value: string, append?: boolean): void {
    this.#exchange.setHeader(name, value, append);
  }

  respond(status: number, contentType: string | undefined, body: Uint8Array | string): void {
    if (this.responded) return;
    this.#claimed = true;
    const pending = this.#beforeAnswer(status, true);
    if (pending instanceof Promise)
      void pending.then(() => this.#exchange.respond(status, contentType, body));
    else this.#exchange.respond(status, contentType, body);
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    if (!this.responded) void this.#beforeAnswer(status, false);
    return this.#exchange.startStream(status, contentType, headers);
  }

  takeover(): { socket: Duplex; head: Buffer } | undefined {
    const taken = this.#exchange.takeover();
    if (taken !== undefined) void this.#beforeAnswer(SWITCHING_PROTOCOLS, false);
    return taken;
  }

  abort(): void {
    this.#exchange.abort();
  }

  onFinished(callback: () => void): void {
    this.#exchange.onFinished(callback);
  }
}
