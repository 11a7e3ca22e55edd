import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { BodyAccount, BodyWriter, Exchange, ResponseBody } from './exchange.ts';

/** An exchange that is another one, but for what its subclasses change. */
export class ForwardingExchange implements Exchange {
  protected readonly inner: Exchange;

  constructor(inner: Exchange) {
    this.inner = inner;
  }

  get target(): string {
    return this.inner.target;
  }

  get pathPrefix(): string | undefined {
    return this.inner.pathPrefix;
  }

  get method(): string {
    return this.inner.method;
  }

  get protocol(): Exchange['protocol'] {
    return this.inner.protocol;
  }

  get host(): string {
    return this.inner.host;
  }

  get remoteAddress(): string {
    return this.inner.remoteAddress;
  }

  get remotePort(): number {
    return this.inner.remotePort;
  }

  get peerCertificates(): readonly X509Certificate[] | undefined {
    return this.inner.peerCertificates;
  }

  get responded(): boolean {
    return this.inner.responded;
  }

  get sentBytes(): number {
    return this.inner.sentBytes;
  }

  get signal(): AbortSignal {
    return this.inner.signal;
  }

  get closed(): boolean {
    return this.inner.closed;
  }

  get ignoresAnswer(): boolean {
    return this.inner.ignoresAnswer === true;
  }

  get hasBody(): boolean {
    return this.inner.hasBody;
  }

  header(name: string): string | undefined {
    return this.inner.header(name);
  }

  headerValues(name: string): readonly string[] {
    return this.inner.headerValues(name);
  }

  headers(): Iterable<readonly [string, string]> {
    return this.inner.headers();
  }

  accountBody(account: BodyAccount): void {
    this.inner.accountBody(account);
  }

  readBody(limit: number): Promise<Buffer> {
    return this.inner.readBody(limit);
  }

  bodyStream(): AsyncIterable<Uint8Array> {
    return this.inner.bodyStream();
  }

  prefer(isPreferred: boolean): void {
    this.inner.prefer(isPreferred);
  }

  setHeader(name: string, value: string, append?: boolean): void {
    this.inner.setHeader(name, value, append);
  }

  respond(status: number, contentType: string | undefined, body: ResponseBody): void {
    this.inner.respond(status, contentType, body);
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    return this.inner.startStream(status, contentType, headers);
  }

  takeover(): { socket: Duplex; head: Buffer } | undefined {
    return this.inner.takeover();
  }

  abort(): void {
    this.inner.abort();
  }

  onFinished(callback: () => void): void {
    this.inner.onFinished(callback);
  }
}
