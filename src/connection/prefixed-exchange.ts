import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { BodyAccount, BodyWriter, Exchange } from './exchange.ts';

/** An exchange whose target is shown without the first part of its path. */
export class PrefixedExchange implements Exchange {
  readonly pathPrefix: string;
  readonly target: string;
  readonly #exchange: Exchange;

  /** @param pathPrefix that the target begins with, as `/clusters/a`; a `/` follows it */
  constructor(exchange: Exchange, pathPrefix: string) {
    this.#exchange = exchange;
    this.pathPrefix = pathPrefix;
    this.target = exchange.target.slice(pathPrefix.length);
  }

  get method(): string {
    return this.#exchange.method;
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
    return this.#exchange.responded;
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

  get hasBody(): boolean {
    return this.#exchange.hasBody;
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
    this.#exchange.respond(status, contentType, body);
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    return this.#exchange.startStream(status, contentType, headers);
  }

  takeover(): { socket: Duplex; head: Buffer } | undefined {
    return this.#exchange.takeover();
  }

  abort(): void {
    this.#exchange.abort();
  }

  onFinished(callback: () => void): void {
    this.#exchange.onFinished(callback);
  }
}
