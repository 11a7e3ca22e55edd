import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy that understands HTTP CONNECT, for tests. */
export class ConnectProxyServer {
  /** Targets as asked for, `host:port`. */
  readonly targets: string[] = [];
  /** Where connections to a target really go; default: to the target. */
  readonly routes = new Map<string, number>();
  /** The response to a request, instead of a tunnel. */
  refusal: string | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  /** @param tls certificate and key, if the proxy has TLS */
  constructor(tls?: object) {
    this.#server = tls === undefined ? createPlainServer() : createServer(tls);
    this.#server.on('connect', (request, socket, head) => this.#connect(request, socket, head));
  }

  /** @param where a port number (0: any) or the path of a Unix socket */
  async listen(where: number | string = 0): Promise<this> {
    await new Promise<void>((resolve) =>
      typeof where === 'string'
        ? this.#server.listen(where, resolve)
        : this.#server.listen(where, '127.0.0.1', resolve),
    );
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = request.url!;
    this.targets.push(target);
    this.#keep(socket);
    if (this.refusal !== undefined) return void socket.end(this.refusal);
    const at = target.lastIndexOf(':');
    const port = this.routes.get(target) ?? Number(target.slice(at + 1));
    const onward: Socket = connect({ host: '127.0.0.1', port }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    this.#keep(onward);
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
