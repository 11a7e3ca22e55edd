import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';

/** A request received by the extension server. */
export interface ExtensionRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Common name of the client certificate; undefined without one that the front-proxy CA signed. */
  readonly proxy: string | undefined;
}

type Answer = (request: ExtensionRequest, response: ServerResponse) => void;

const DAY = 86_400_000;
const validity = () => ({ validFrom: new Date(Date.now() - DAY), validTo: new Date(Date.now() + DAY) });

export interface ExtensionServerOptions {
  /** Names in its certificate: `service.namespace.svc`. */
  readonly hosts: readonly string[];
  /** CA of the clients that may name users. */
  readonly frontProxyAuthority?: string;
  readonly answer: Answer;
}

/** An HTTPS server that acts as an extension API server. */
export class ExtensionServer {
  readonly requests: ExtensionRequest[] = [];
  readonly authority: string;
  answer: Answer;
  /** Handles upgrades; default: echoes. */
  upgrade: (request: { readonly headers: IncomingHttpHeaders }, socket: Duplex, head: Buffer) => void;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  constructor({ hosts, frontProxyAuthority, answer }: ExtensionServerOptions) {
    const times = validity();
    const authority = createAuthority({ commonName: 'extension-ca' }, times.validFrom, times.validTo);
    const serving = issueCertificate(authority, {
      subject: { commonName: 'extension' },
      usage: 'server',
      hosts,
      ...times,
    });
    this.authority = authority.certificate;
    this.answer = answer;
    this.upgrade = ({ headers }, socket, head) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\n\r\n`,
      );
      if (head.length > 0) socket.write(head);
      socket.pipe(socket);
    };
    this.#server = createServer(
      {
        cert: serving.certificate,
        key: serving.key,
        requestCert: true,
        rejectUnauthorized: false,
        ...(frontProxyAuthority === undefined ? {} : { ca: frontProxyAuthority }),
      },
      (message, response) => {
        const chunks: Buffer[] = [];
        message.on('error', () => undefined);
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        message.on('end', () => {
          const [path = '', query = ''] = message.url!.split('?', 2);
          const socket = message.socket as TLSSocket;
          const request = {
            method: message.method!,
            path,
            query,
            headers: message.headers,
            body: Buffer.concat(chunks).toString(),
            proxy: socket.authorized ? socket.getPeerCertificate().subject.CN?.toString() : undefined,
          };
          this.requests.push(request);
          this.answer(request, response);
        });
      },
    );
    this.#server.on('upgrade', (message, socket, head) => this.upgrade(message, socket, head));
    this.#server.on('secureConnection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The CA bundle of an APIService. */
  get caBundle(): string {
    return Buffer.from(this.authority).toString('base64');
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, 'localhost', resolve));
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

export const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
