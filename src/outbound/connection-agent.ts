import { Agent, type AgentOptions, type ClientRequest, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';

/** Request options that name the server's connections and open new ones. */
export interface ConnectionArguments extends ClientRequestArgs {
  /** Connections with the same key are interchangeable. */
  readonly connectionKey: string;
  openConnection(): Promise<Duplex>;
}

export interface IdleLimits {
  /** Idle connections per server. */
  readonly maximumIdlePerTarget: number;
  /** Idle connections of all servers; the one that is idle for longest is closed first. */
  readonly maximumIdle: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly idleTimeout: number;
}

/** Keeps idle connections for the next request. They do not keep the process running. */
export class ConnectionAgent extends Agent {
  readonly #maximumIdle: number;
  readonly #idle = new Set<Duplex>();
  readonly #observed = new WeakSet<Duplex>();

  constructor({ maximumIdlePerTarget, maximumIdle, idleTimeout }: IdleLimits) {
    const options: AgentOptions = {
      keepAlive: true,
      maxFreeSockets: maximumIdlePerTarget,
      timeout: idleTimeout,
      // The connection used last is the one least likely to have been closed by the server.
      scheduling: 'lifo',
    };
    super(options);
    this.#maximumIdle = maximumIdle;
  }

  /** Number of idle connections. */
  get idle(): number {
    return this.#idle.size;
  }

  /** The key of the pool; Node's own would concatenate certificates and keys for each request. */
  override getName(options?: ClientRequestArgs): string {
    return (options as ConnectionArguments | undefined)?.connectionKey ?? '';
  }

  override createConnection(
    options: ClientRequestArgs,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    (options as ConnectionArguments).openConnection().then(
      (stream) => done?.(null, stream),
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Streams that a dialer made need not have the methods of a socket.
    if (!('unref' in socket) || (super.keepSocketAlive(socket) as unknown) === false) return false;
    if (this.#idle.size >= this.#maximumIdle) this.#closeOldest();
    this.#idle.add(socket);
    if (!this.#observed.has(socket)) {
      this.#observed.add(socket);
      socket.once('close', () => this.#idle.delete(socket));
    }
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idle.delete(socket);
    super.reuseSocket(socket, request);
  }

  /** Closes idle connections. */
  closeIdle(connectionKey: string): void {
    for (const socket of this.freeSockets[connectionKey] ?? []) socket.destroy();
  }

  #closeOldest(): void {
    for (const oldest of this.#idle) {
      this.#idle.delete(oldest);
      oldest.destroy();
      return;
    }
  }
}
