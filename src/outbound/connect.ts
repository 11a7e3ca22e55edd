import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, connect as startTls, type TLSSocket } from 'node:tls';
import { holdingClock } from '../time/clock.ts';
import { certificateIdentityError } from './certificate-identity.ts';
import type { Address, Dialer } from './dialer.ts';
import { dialError, handshakeError, joinHostPort } from './failure-text.ts';
import { OutboundError } from './outbound-error.ts';

/** Milliseconds to connect, before TLS. */
const DIAL_TIMEOUT = 30_000;
/** Milliseconds for the TLS handshake. */
const HANDSHAKE_TIMEOUT = 10_000;

/** How a TLS connection verifies the server and identifies this client. */
export interface TlsSettings {
  /** CA bundle that verifies the server's certificate, PEM; undefined: the system's CAs. */
  readonly caBundle?: string | undefined;
  /** Name to verify in the server's certificate instead of the host name. */
  readonly serverName?: string | undefined;
  /** Skips verification of the server's certificate. */
  readonly insecure?: boolean | undefined;
  /** Client certificate and its key, PEM; both or neither. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Settings of TLS in the form of the TLS library, made once for a server. */
export interface PreparedTls {
  readonly context: SecureContext;
  readonly serverName: string | undefined;
  readonly insecure: boolean;
}

/** @throws OutboundError for a certificate, key or CA bundle that cannot be read */
export function prepareTls(settings: TlsSettings): PreparedTls {
  const { caBundle, certificate, key, serverName, insecure = false } = settings;
  // A bundle without a certificate would be ignored, and then nothing be verified as its owner meant it.
  if (caBundle !== undefined && !caBundle.includes('-----BEGIN CERTIFICATE-----'))
    throw new OutboundError('unable to load root certificates: unable to parse bytes as PEM block');
  try {
    const context = createSecureContext({
      // A certificate of the bundle is trusted as it is, like in Go: envtest gives webhooks their own certificate.
      allowPartialTrustChain: true,
      ...(caBundle === undefined ? {} : { ca: caBundle }),
      ...(certificate === undefined ? {} : { cert: certificate, key }),
    });
    return { context, serverName, insecure };
  } catch (error) {
    throw new OutboundError(`tls: ${(error as Error).message}`, (error as NodeJS.ErrnoException).code);
  }
}

export interface ConnectOptions {
  readonly address: Address;
  /** Undefined: without TLS. */
  readonly tls: PreparedTls | undefined;
  /** Name in the certificate, unless the settings name another. */
  readonly host: string;
  readonly dialer: Dialer;
  /** Milliseconds to connect, before TLS; default 30 seconds. */
  readonly timeout?: number | undefined;
  readonly signal: AbortSignal;
}

/** Opens a connection and completes the TLS handshake. Rejects with OutboundError. */
export async function openConnection(options: ConnectOptions): Promise<Duplex> {
  const { address, tls, signal, dialer, timeout = DIAL_TIMEOUT } = options;
  const dialing = new AbortController();
  const abort = () => dialing.abort(signal.reason);
  const stopTimer = holdingClock.after(timeout, () => {
    const text = `dial tcp ${joinHostPort(address)}: i/o timeout`;
    dialing.abort(new OutboundError(text, 'ETIMEDOUT'));
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  let stream: Duplex;
  try {
    stream = await dialer(address, dialing.signal);
  } catch (error) {
    throw dialError(error, address);
  } finally {
    stopTimer();
    signal.removeEventListener('abort', abort);
  }
  if (signal.aborted) {
    stream.destroy();
    throw dialError(signal.reason, address);
  }
  return tls === undefined ? stream : startClientTls(stream, tls, options.host, signal);
}

/**
 * Completes a TLS handshake on a connection, and closes the connection if that fails. Rejects with OutboundError.
 * @param host name in the certificate, unless the settings name another
 */
export function startClientTls(
  stream: Duplex,
  tls: PreparedTls,
  host: string,
  signal: AbortSignal,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = tls.serverName ?? host;
    const socket = startTls({
      socket: stream,
      host: name,
      // An IP address is verified, but never sent as a server name.
      ...(isIP(name) === 0 ? { servername: name } : {}),
      secureContext: tls.context,
      rejectUnauthorized: !tls.insecure,
      ALPNProtocols: ['http/1.1'],
      checkServerIdentity: certificateIdentityError,
    });
    const finish = (error?: unknown) => {
      stopTimer();
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', finish);
      if (error === undefined) return resolve(socket);
      // Errors that follow from the end of the connection have no listener of their own.
      socket.on('error', () => undefined);
      socket.destroy();
      stream.destroy();
      reject(handshakeError(error));
    };
    const abort = () => finish(signal.reason);
    const stopTimer = holdingClock.after(HANDSHAKE_TIMEOUT, () =>
      finish(new OutboundError('net/http: TLS handshake timeout', 'ETIMEDOUT')),
    );
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', finish);
    socket.once('secureConnect', () => finish());
    if (signal.aborted) abort();
  });
}
