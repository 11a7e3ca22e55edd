import { ConnectionAgent, type IdleLimits } from './connection-agent.ts';
import { directDialer } from './dialer.ts';
import { DIRECT_EGRESS, type Egress } from './egress.ts';
import { OutboundTarget } from './outbound-target.ts';
import { RequestLimit } from './request-limit.ts';
import type { TargetOptions } from './target-options.ts';

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
