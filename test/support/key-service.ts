import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { findDelimitedField } from '../../src/codec/protobuf-fields.ts';

/** The status of a call that fails. */
export interface PluginFailure {
  readonly status: number;
  readonly message: string;
}

const field = (number: number, bytes: Uint8Array): Buffer => {
  if (bytes.length > 127) throw new Error('longer fields are not needed');
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};

/** A key management plugin of version 2 on a Unix socket: it encrypts with AES under the key of its id. */
export class KeyServicePlugin {
  keyId = 'key-1';
  healthz = 'ok';
  version = 'v2';
  failure: PluginFailure | undefined;
  /** Names of the methods that were called. */
  readonly calls: string[] = [];
  readonly #keys = new Map<string, Buffer>();
  readonly #server: Http2Server;

  constructor() {
    this.#server = createServer();
    this.#server.on('stream', (stream, headers) => this.#answer(stream, String(headers[':path'])));
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve) => this.#server.listen(path, resolve));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Loses a key: what it has encrypted cannot be decrypted any more. */
  forget(keyId: string): void {
    this.#keys.delete(keyId);
  }

  #answer(stream: ServerHttp2Stream, path: string): void {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const method = path.slice(path.lastIndexOf('/') + 1);
      this.calls.push(method);
      const outcome = this.failure ?? this.#call(method, Buffer.concat(chunks).subarray(5));
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () =>
        stream.sendTrailers(
          Buffer.isBuffer(outcome)
            ? { 'grpc-status': '0' }
            : { 'grpc-status': String(outcome.status), 'grpc-message': outcome.message },
        ),
      );
      if (!Buffer.isBuffer(outcome)) stream.end();
      else {
        const head = Buffer.alloc(5);
        head.writeUInt32BE(outcome.length, 1);
        stream.end(Buffer.concat([head, outcome]));
      }
    });
  }

  #call(method: string, request: Buffer): Buffer | PluginFailure {
    const part = (number: number) => Buffer.from(findDelimitedField(request, number) ?? []);
    if (method === 'Status')
      return Buffer.concat([
        field(1, Buffer.from(this.version)),
        field(2, Buffer.from(this.healthz)),
        field(3, Buffer.from(this.keyId)),
      ]);
    if (method === 'Encrypt') {
      const key = this.#keys.get(this.keyId) ?? randomBytes(32);
      this.#keys.set(this.keyId, key);
      const cipher = createCipheriv('aes-256-ecb', key, null);
      const annotation = Buffer.concat([field(1, Buffer.from('plugin.test')), field(2, Buffer.from('1'))]);
      return Buffer.concat([
        field(1, Buffer.concat([cipher.update(part(1)), cipher.final()])),
        field(2, Buffer.from(this.keyId)),
        field(3, annotation),
      ]);
    }
    const key = this.#keys.get(part(3).toString());
    if (key === undefined) return { status: 5, message: 'no such key' };
    const decipher = createDecipheriv('aes-256-ecb', key, null);
    return field(1, Buffer.concat([decipher.update(part(1)), decipher.final()]));
  }
}
