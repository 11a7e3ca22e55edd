import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** What the server sends is dropped. */
  muted: boolean;
  /** What the client has sent first. */
  head: string;
}

/** A TCP proxy in front of one endpoint that can break in the ways networks do. */
export class FaultProxy {
  readonly #links = new Set<Link>();
  readonly #server: Server;
  /** Number of connections that {@link cut} has refused. */
  refusals = 0;
  #refusing = false;
  #hanging = false;
  #delay = 0;
  /** Connections that begin with this text are reset. */
  #refused: string | undefined;

  private constructor(private target: string) {
    this.#server = createServer((client) => this.#accept(client));
  }

  /** @param target URL of the endpoint */
  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#links.size;
  }

  /** Resets all connections, and new ones until {@link restore}. */
  cut(): void {
    this.#refusing = true;
    this.reset();
  }

  /** Resets all connections. */
  reset(): void {
    for (const { client, server } of this.#links) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Forwards nothing, on old and new connections, until {@link restore}. */
  hang(): void {
    this.#hanging = true;
    for (const { client, server } of this.#links) {
      client.pause();
      server.pause();
    }
  }

  /** Drops what the server sends on the present connections; new ones work. */
  mute(): void {
    for (const link of this.#links) link.muted = true;
  }

  /** Resets the connections whose first bytes contain a text, and new ones, until {@link restore}. */
  refuse(text: string): void {
    this.#refused = text;
    for (const link of this.#links) this.#resetRefused(link);
  }

  /** Delays what is sent in both directions by some milliseconds. */
  delay(milliseconds: number): void {
    this.#delay = milliseconds;
  }

  restore(): void {
    this.#refusing = false;
    this.#refused = undefined;
    this.#delay = 0;
    if (!this.#hanging) return;
    this.#hanging = false;
    for (const { client, server } of this.#links) {
      client.resume();
      server.resume();
    }
  }

  /** New connections go to another endpoint; present ones are reset. */
  retarget(target: string): void {
    this.target = target;
    this.reset();
  }

  async close(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #accept(client: Socket): void {
    if (this.#refusing) {
      this.refusals += 1;
      client.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(this.target);
    const server = connect(Number(port), hostname);
    const link: Link = { client, server, muted: false, head: '' };
    this.#links.add(link);
    client.once('data', (chunk) => {
      link.head = chunk.toString('latin1');
      this.#resetRefused(link);
    });
    this.#forward(client, server, () => true);
    this.#forward(server, client, () => !link.muted);
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        this.#links.delete(link);
      });
      if (this.#hanging) socket.pause();
    }
  }

  #resetRefused({ client, server, head }: Link): void {
    if (this.#refused === undefined || !head.includes(this.#refused)) return;
    client.resetAndDestroy();
    server.destroy();
  }

  #forward(from: Socket, to: Socket, passes: () => boolean): void {
    from.on('data', (chunk) => {
      const send = () => {
        if (passes() && to.writable) to.write(chunk);
      };
      if (this.#delay > 0) setTimeout(send, this.#delay);
      else send();
    });
  }
}
