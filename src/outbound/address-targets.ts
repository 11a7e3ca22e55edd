import type { TlsSettings } from './connect.ts';
import type { Address } from './dialer.ts';
import { joinHostPort } from './failure-text.ts';
import type { OutboundClient } from './outbound-client.ts';
import type { OutboundTarget } from './outbound-target.ts';

/** Addresses with kept connections. */
const MAXIMUM_ADDRESSES = 64;
/** Concurrent requests to one address: watches hold their place. */
const MAXIMUM_REQUESTS = 16_384;

/** A server at one address. */
export interface Backend {
  readonly target: OutboundTarget;
  /** `host:port` */
  readonly host: string;
  /** `https://host:port`, or with the scheme `http`. */
  readonly server: string;
}

/** The connections to the addresses of one extension server, or of servers that are verified in the same way. */
export class AddressTargets {
  readonly #client: OutboundClient;
  readonly #tls: TlsSettings | undefined;
  readonly #connectTimeout: number | undefined;
  readonly #backends = new Map<string, Backend>();

  /**
   * @param tls undefined: without TLS
   * @param connectTimeout milliseconds to connect, before TLS; undefined: 30 seconds
   */
  constructor(client: OutboundClient, tls: TlsSettings | undefined, connectTimeout?: number) {
    this.#client = client;
    this.#tls = tls;
    this.#connectTimeout = connectTimeout;
  }

  at(address: Address): Backend {
    const host = joinHostPort(address);
    const known = this.#backends.get(host);
    if (known !== undefined) return known;
    const [oldest] = this.#backends.keys();
    if (oldest !== undefined && this.#backends.size >= MAXIMUM_ADDRESSES) {
      this.#backends.get(oldest)?.target.retire();
      this.#backends.delete(oldest);
    }
    const server = `${this.#tls === undefined ? 'http' : 'https'}://${host}`;
    const options = {
      server,
      ...(this.#tls !== undefined && { tls: this.#tls }),
      ...(this.#connectTimeout !== undefined && { connectTimeout: this.#connectTimeout }),
      maximumRequests: MAXIMUM_REQUESTS,
      network: 'cluster' as const,
    };
    const backend = { target: this.#client.target(options), host, server };
    this.#backends.set(host, backend);
    return backend;
  }

  /** Closes connections as soon as they are idle. */
  retire(): void {
    for (const { target } of this.#backends.values()) target.retire();
    this.#backends.clear();
  }
}
