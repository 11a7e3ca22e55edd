import { randomUUID } from 'node:crypto';
import { GRPC, GrpcError } from '../../../grpc/grpc.ts';
import { Http2Channel } from '../../../grpc/http2-channel.ts';
import { processClock } from '../../../time/clock.ts';
import { EncryptionError } from '../errors.ts';
import {
  decodeDecryptResponse,
  decodeEncryptResponse,
  decodeStatus,
  type EncryptedSource,
  type EncryptResponse,
  encodeDecryptRequest,
  encodeEncryptRequest,
  type KeyServiceStatus,
} from './messages.ts';

const KEEPALIVE_MILLISECONDS = 30_000;
const KEEPALIVE_TIMEOUT_MILLISECONDS = 10_000;

/** gRPC's names of its status codes. */
const STATUS_NAMES = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];
/** What the service answers when the same call may succeed later. */
const TEMPORARY = new Set<number>([
  GRPC.cancelled,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.aborted,
  GRPC.unavailable,
]);

/** A call to a key service failed for good; `status` is gRPC's name of its status. */
export class KeyServiceError extends Error {
  override name = 'KeyServiceError';
  constructor(
    message: string,
    readonly status: string,
  ) {
    super(message);
  }
}

export interface KeyServiceOptions {
  /** `unix://` and the path of the socket; a path that begins with `/@` is an abstract socket. */
  readonly endpoint: string;
  /** Bound of one call, in milliseconds. */
  readonly timeout: number;
  /** Called with the path of each call, its duration and gRPC's name of its status. */
  readonly observe?: (method: string, seconds: number, status: string) => void;
}

/** A key management service of version 2. */
export interface KeyService {
  /** @throws EncryptionError, KeyServiceError */
  status(): Promise<KeyServiceStatus>;
  /** @throws EncryptionError, KeyServiceError */
  encrypt(plaintext: Uint8Array): Promise<EncryptResponse>;
  /** @throws EncryptionError, KeyServiceError */
  decrypt(source: EncryptedSource): Promise<Uint8Array>;
  close(): void;
}

/** Connects to a key service on first use. */
export function connectKeyService({ endpoint, timeout, observe }: KeyServiceOptions): KeyService {
  const channel = new Http2Channel('http://localhost', {
    socket: socketOf(endpoint),
    connectTimeout: timeout,
    keepaliveInterval: KEEPALIVE_MILLISECONDS,
    keepaliveTimeout: KEEPALIVE_TIMEOUT_MILLISECONDS,
  });
  const call = async <T>(
    name: string,
    request: Uint8Array,
    decode: (message: Uint8Array) => T,
  ): Promise<T> => {
    const method = `/v2.KeyManagementService/${name}`;
    const start = processClock.monotonic();
    const done = (status: number) =>
      observe?.(method, (processClock.monotonic() - start) / 1000, STATUS_NAMES[status] ?? 'Unknown');
    try {
      const response = decode(await channel.unary(method, request, { timeout }));
      done(GRPC.ok);
      return response;
    } catch (error) {
      const status = error instanceof GrpcError ? error.status : GRPC.internal;
      done(status);
      throw failure(status, error as Error);
    }
  };
  return {
    status: () => call('Status', new Uint8Array(0), decodeStatus),
    encrypt: (plaintext) =>
      call('Encrypt', encodeEncryptRequest(plaintext, randomUUID()), decodeEncryptResponse),
    decrypt: (source) => call('Decrypt', encodeDecryptRequest(source, randomUUID()), decodeDecryptResponse),
    close: () => channel.close(),
  };
}

function failure(status: number, { message }: Error): Error {
  const name = STATUS_NAMES[status] ?? `Code(${status})`;
  const text = `rpc error: code = ${name} desc = ${message}`;
  return TEMPORARY.has(status) ? new EncryptionError(text, name) : new KeyServiceError(text, name);
}

/** The path of a socket in a URL. Node.js names abstract sockets with a leading zero. */
function socketOf(endpoint: string): string {
  const path = decodeURIComponent(new URL(endpoint).pathname);
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}
