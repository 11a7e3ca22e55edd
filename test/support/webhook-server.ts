import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';

/** A call received by a test's webhook. */
export interface WebhookCall {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/**
 * Response of a webhook: an object as JSON, a string verbatim; `hang` never responds, `reset` closes the
 * connection.
 */
export type WebhookAnswer = object | 'hang' | 'reset' | { readonly status: number; readonly text: string };

const DAY = 86_400_000;

/** An HTTPS server that acts as a webhook, and its kubeconfig. */
export class WebhookServer {
  readonly calls: WebhookCall[] = [];
  readonly directory = mkdtempSync(join(tmpdir(), 'binnacle-webhook-'));
  readonly kubeconfigFile = join(this.directory, 'kubeconfig.yaml');
  /** The authority of the server's certificate: PEM in base64, as in client configurations; after the start. */
  caBundle = '';
  answer: (call: WebhookCall) => WebhookAnswer;
  #server: Server | undefined;

  constructor(answer: (call: WebhookCall) => WebhookAnswer) {
    this.answer = answer;
  }

  /** Connections accepted so far. */
  connections = 0;

  /** @param identity a certificate and its key; default: one for 127.0.0.1 */
  async start(identity?: { readonly cert: string; readonly key: string }): Promise<this> {
    const validity = { validFrom: new Date(Date.now() - DAY), validTo: new Date(Date.now() + DAY) };
    const authority = createAuthority({ commonName: 'webhook-ca' }, validity.validFrom, validity.validTo);
    const serving = issueCertificate(authority, {
      subject: { commonName: 'webhook' },
      usage: 'server',
      addresses: ['127.0.0.1'],
      ...validity,
    });
    const certificate = identity ?? { cert: serving.certificate, key: serving.key };
    const server = createServer(certificate, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url!, 'https://webhook');
        const call = {
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        };
        this.calls.push(call);
        const answer = this.answer(call);
        if (answer === 'hang') return;
        if (answer === 'reset') return void request.socket.destroy();
        if ('text' in answer && 'status' in answer && typeof answer.status === 'number') {
          response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.text);
          return;
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    server.on('connection', () => {
      this.connections += 1;
    });
    this.#server = server;
    this.caBundle = Buffer.from(authority.certificate).toString('base64');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.writeKubeconfig(
      {
        server: `${this.url}/hook`,
        'certificate-authority-data': this.caBundle,
      },
      {},
    );
    return this;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  writeKubeconfig(cluster: object, user: object): void {
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'x', user: 'u' } }],
      clusters: [{ name: 'x', cluster }],
      users: [{ name: 'u', user }],
    };
    writeFileSync(this.kubeconfigFile, JSON.stringify(content));
  }

  async stop(): Promise<void> {
    this.#server!.closeAllConnections();
    await new Promise((resolve) => this.#server!.close(resolve));
    rmSync(this.directory, { recursive: true, force: true });
  }
}
