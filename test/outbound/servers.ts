import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';

const validity = { validFrom: new Date(Date.now() - 60_000), validTo: new Date(Date.now() + 3_600_000) };

/** The authority of all servers here. */
export const authority = createAuthority({ commonName: 'servers' }, validity.validFrom, validity.validTo);

/** A server certificate; by default for 127.0.0.1. */
export const serverCertificate = (names: object = { addresses: ['127.0.0.1'] }, dates: object = {}) => {
  const request = { subject: { commonName: 'server' }, usage: 'server' as const, ...names, ...validity };
  const { certificate, key } = issueCertificate(authority, { ...request, ...dates });
  return { cert: certificate, key };
};

/** A client certificate. */
export const clientCertificate = (commonName: string) =>
  issueCertificate(authority, { subject: { commonName }, usage: 'client', ...validity });

/** Servers of one test, with their connections. */
export class Servers {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  /** Connections accepted so far. */
  accepted = 0;

  async https(handle: RequestListener, options: ServerOptions = serverCertificate()): Promise<number> {
    return this.#listen(createServer(options, handle));
  }

  async http(handle: RequestListener): Promise<number> {
    return this.#listen(createPlainServer(handle));
  }

  async tcp(handle: (socket: Socket) => void): Promise<number> {
    return this.#listen(createTcpServer(handle));
  }

  async #listen(server: Server): Promise<number> {
    server.on('connection', (socket) => {
      this.accepted++;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Open connections of all servers. */
  get open(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function closedPort(): Promise<number> {
  const servers = new Servers();
  const port = await servers.tcp(() => undefined);
  await servers.close();
  return port;
}
