import type { TlsSettings } from './connect.ts';
import { ConnectionAgent, type IdleLimits } from './connection-agent.ts';
import { type Address, directDialer } from './dialer.ts';
import { DIRECT_EGRESS, type Egress, type Network } from './egress.ts';
import { OutboundTarget } from './outbound-target.ts';
import { RequestLimit } from './request-limit.ts';

export interface OutboundLimits extends IdleLimits {
  /** Concurrent requests to all servers. */
  readonly maximumRequests: number;
  /** Requests that wait for one of those. */
  readonly maximumWaiting: number;
}

const LIMITS: OutboundLimits = {
  maximumRequests: 4096,
  maximumWaiting: 4096,
  maximumIdlePerTarget: 16,
  maximumIdle: 512,
  idleTimeout: 90_000,
};

export interface OutboundClientOptions extends Partial<OutboundLimits> {
  /** Opens connections; default: directly. */
  readonly egress?: Egress;
}

/** A server and how to reach it. */
export interface TargetOptions {
  /** `https://host:port/path` or `http://…`; request paths are appended to its path. */
  readonly server: string;
  readonly tls?: TlsSettings;
  /** Where the server is, which decides about a proxy; `local`: this server. Default: the control plane. */
  readonly network?: Network | 'local';
  /**
   * The address of a new connection, for example of a Service; default: host and port of `server`. An error
   * that it throws fails the request with its message.
   */
  readonly resolve?: () => Address | Promise<Address>;
  /** Headers of every request, asked for each because tokens rotate; a request's own take precedence. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Concurrent requests; default 64. A request holds its place until its response has ended. */
  readonly maximumRequests?: number;
  /**
   * Requests that wait for those in progress, within their deadline; default 1024. Beyond it they fail with
   * code `EBUSY`.
   */
  readonly maximumWaiting?: number;
}

/**
 * The HTTP/1.1 client for webhooks, converters and extension servers. Connections are kept and reused, their
 * number is bounded, idle ones are closed and don't keep the process running. Redirects are not followed.
 */
export class OutboundClient {
  readonly #agent: ConnectionAgent;
  readonly #limit: RequestLimit;
  readonly #egress: Egress;
  #targets = 0;

  constructor({ egress = DIRECT_EGRESS, ...limits }: OutboundClientOptions = {}) {
    const { maximumRequests, maximumWaiting, ...idle } = { ...LIMITS, ...limits };
    this.#egress = egress;
    this.#agent = new ConnectionAgent(idle);
    this.#limit = new RequestLimit(maximumRequests, maximumWaiting);
  }

  /** Idle connections to all servers. */
  get idleConnections(): number {
    return this.#agent.idle;
  }

  /** Prepares requests to one server; its connections are not shared with other targets. */
  target(options: TargetOptions): OutboundTarget {
    const key = String(++this.#targets);
    const { network = 'controlplane' } = options;
    const dialer = network === 'local' ? directDialer : this.#egress[network];
    const shared = { agent: this.#agent, limit: this.#limit, dialer, key, observe: this.#egress.observe };
    return new OutboundTarget(shared, options);
  }

  /** Closes all connections; requests in progress fail. */
  close(): void {
    this.#agent.destroy();
  }
}
