import type { Socket } from 'node:net';
import { processClock } from '../time/clock.ts';
import { type PreparedTls, startClientTls } from './connect.ts';
import { type Address, type Dialer, dialSocket } from './dialer.ts';
import { dialError, joinHostPort } from './failure-text.ts';
import { OutboundError } from './outbound-error.ts';

/** Largest response head of a proxy in bytes. */
const MAXIMUM_HEAD = 16_384;
const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]{0,512}))?/;

/** A proxy that understands HTTP CONNECT. */
export interface ConnectProxy {
  /** Where it listens: host and port, or the path of a Unix socket. */
  readonly address: Address | string;
  /** TLS to the proxy itself; undefined: none. */
  readonly tls: PreparedTls | undefined;
  /**
   * Whether the servers behind it may send before the client does, as those of HTTP/2 do. Otherwise such bytes
   * fail the connection, because they can only be the proxy's.
   */
  readonly serversSpeakFirst?: boolean;
}

/** The steps of a connection through a proxy: to reach the proxy, and the proxy's own connection. */
export type DialStage = 'connect' | 'proxy';

/** Observes connections through a proxy. */
export interface DialObserver {
  started(): void;
  /** @param seconds since the start */
  connected(seconds: number): void;
  failed(stage: DialStage): void;
}

/** Opens connections through a proxy by HTTP CONNECT; each has a connection of its own to the proxy. */
export function connectProxyDialer(proxy: ConnectProxy, observer: DialObserver): Dialer {
  const name = typeof proxy.address === 'string' ? proxy.address : joinHostPort(proxy.address);
  return async (address, signal) => {
    const started = processClock.monotonic();
    observer.started();
    let stage: DialStage = 'connect';
    try {
      const socket = await reach(proxy, signal);
      stage = 'proxy';
      const surplus = await tunnel(socket, name, joinHostPort(address), signal);
      if (surplus.length > 0) takeSurplus(proxy, name, socket, surplus);
      observer.connected((processClock.monotonic() - started) / 1000);
      return socket;
    } catch (error) {
      observer.failed(stage);
      throw error;
    }
  };
}

/** Connects to the proxy itself, with TLS where it has TLS. */
async function reach({ address, tls }: ConnectProxy, signal: AbortSignal): Promise<Socket> {
  if (typeof address === 'string') return dialPath(address, signal);
  const plain = await dialSocket({ ...address, noDelay: true }, signal).catch((error: unknown) => {
    throw dialError(error, address);
  });
  return tls === undefined ? plain : startClientTls(plain, tls, address.host, signal);
}

async function dialPath(path: string, signal: AbortSignal): Promise<Socket> {
  try {
    return await dialSocket({ path }, signal);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file or directory' : message;
    throw new OutboundError(`dial unix ${path}: connect: ${reason}`, code);
  }
}

/** Handles bytes that follow the response of a proxy. @throws OutboundError unless servers may speak first */
function takeSurplus({ serversSpeakFirst }: ConnectProxy, name: string, socket: Socket, bytes: Buffer): void {
  if (serversSpeakFirst) {
    socket.unshift(bytes);
    return;
  }
  socket.on('error', () => undefined);
  socket.destroy();
  throw new OutboundError(
    `unexpected ${bytes.length} bytes of buffered data from CONNECT proxy ${JSON.stringify(name)}`,
  );
}

/** Asks the proxy for a connection and waits for its response. Resolves with the bytes that follow it. */
function tunnel(socket: Socket, proxy: string, target: string, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (failure: OutboundError | undefined, surplus: Buffer = Buffer.alloc(0)) => {
      // Reading chunks on demand leaves the stream as it was: neither flowing nor paused.
      socket.off('readable', read);
      socket.off('error', broken);
      socket.off('close', ended);
      signal.removeEventListener('abort', abort);
      if (failure === undefined) return resolve(surplus);
      socket.on('error', () => undefined);
      socket.destroy();
      reject(failure);
    };
    const failed = (reason: string) =>
      finish(
        new OutboundError(
          `reading HTTP response from CONNECT to ${target} via proxy ${proxy} failed: ${reason}`,
        ),
      );
    const broken = (error: Error) => failed(error.message);
    const ended = () => failed('unexpected EOF');
    const abort = () =>
      finish(signal.reason instanceof OutboundError ? signal.reason : new OutboundError('context canceled'));
    const read = () => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      chunks.push(chunk);
      length += chunk.length;
      const received = Buffer.concat(chunks);
      const end = received.indexOf(HEAD_END);
      if (end < 0) return length > MAXIMUM_HEAD ? failed('response headers are too large') : undefined;
      const head = received.subarray(0, end).toString('latin1');
      finish(responseFailure(head, proxy, target), received.subarray(end + HEAD_END.length));
    };
    socket.on('readable', read);
    socket.on('error', broken);
    socket.on('close', ended);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return abort();
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  });
}

/** What is wrong with the head of a proxy's response; undefined if the tunnel stands. */
function responseFailure(head: string, proxy: string, target: string): OutboundError | undefined {
  const [line, status, text = ''] = STATUS_LINE.exec(head) ?? [];
  if (line === undefined)
    return new OutboundError(
      `reading HTTP response from CONNECT to ${target} via proxy ${proxy} failed: malformed HTTP response`,
    );
  if (status === '200') return undefined;
  return new OutboundError(
    `proxy error from ${proxy} while dialing ${target}, code ${status}: ${status} ${text}`.trimEnd(),
  );
}
