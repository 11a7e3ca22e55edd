import type { Address } from './dialer.ts';
import { OutboundError } from './outbound-error.ts';

/** Formats host and port like Go: IPv6 addresses are in brackets. */
export const joinHostPort = ({ host, port }: Address): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly reason?: string;
  readonly errors?: readonly Error[];
}

const CONNECT_TEXTS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by peer'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ETIMEDOUT', 'connection timed out'],
  ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ['EACCES', 'permission denied'],
  ['EMFILE', 'too many open files'],
]);

/** The text of a failure to connect. @param address where the connection went */
export function dialError(error: unknown, address: Address): OutboundError {
  if (error instanceof OutboundError) return error;
  const failure = error as SystemError;
  // All addresses of a name failed; like Go, report the first one.
  const { code, syscall, message, address: ip, port } = (failure.errors?.[0] ?? failure) as SystemError;
  const of = (text: string) => new OutboundError(text, code, text);
  if (syscall === 'getaddrinfo') {
    const reason =
      code === 'ENOTFOUND' ? 'no such host' : code === 'EAI_AGAIN' ? 'server misbehaving' : message;
    return of(`dial tcp: lookup ${failure.hostname ?? address.host}: ${reason}`);
  }
  const target = joinHostPort({ host: ip ?? address.host, port: port ?? address.port });
  const text = CONNECT_TEXTS.get(code ?? '');
  return of(`dial tcp ${target}: ${text === undefined ? message : `connect: ${text}`}`);
}

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
]);
const VALIDITY = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Alerts whose names differ between OpenSSL and Go. */
const ALERTS: ReadonlyMap<string, string> = new Map([
  ['unknown ca', 'unknown certificate authority'],
  ['protocol version', 'protocol version not supported'],
  ['insufficient security', 'insufficient security level'],
  ['unsupported certificate', 'unsupported certificate'],
  ['certificate unknown', 'unknown certificate'],
  ['certificate expired', 'expired certificate'],
  ['certificate revoked', 'revoked certificate'],
  ['unrecognized name', 'unrecognized name'],
]);

/** The text of an alert that the server sent, during the handshake or, in TLS 1.3, after it. */
function alertText({ code = '', message }: SystemError): string | undefined {
  const named = code.indexOf('_ALERT_');
  const at = message.indexOf(' alert ');
  if (named < 0 && (at < 0 || !message.includes(':SSL routines:'))) return undefined;
  const alert =
    named < 0
      ? message.slice(at + ' alert '.length).split(':', 1)[0]!
      : code
          .slice(named + '_ALERT_'.length)
          .toLowerCase()
          .replaceAll('_', ' ');
  return `remote error: tls: ${ALERTS.get(alert) ?? alert}`;
}

/** The text of a failed TLS handshake. */
export function handshakeError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '', message } = error as SystemError;
  const of = (text: string) => new OutboundError(text, code, text);
  const verification = (text: string) => of(`tls: failed to verify certificate: x509: ${text}`);
  if (UNKNOWN_AUTHORITY.has(code)) return verification('certificate signed by unknown authority');
  if (VALIDITY.has(code)) return verification('certificate has expired or is not yet valid');
  if (code === 'INVALID_PURPOSE') return verification('certificate specifies an incompatible key usage');
  // The first bytes are not a TLS record. The usual reason is a server without TLS.
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return of('http: server gave HTTP response to HTTPS client');
  const alert = alertText(error as SystemError);
  if (alert !== undefined) return of(alert);
  // The server closed the connection during the handshake, in an orderly way or by a reset.
  if (code === 'ECONNRESET')
    return of((error as SystemError).syscall === undefined ? 'EOF' : 'read: connection reset by peer');
  if (code === 'EPIPE') return of('write: broken pipe');
  return of(message);
}

/** Failures of zlib in the words of Go. */
const GZIP_TEXTS: ReadonlyMap<string, string> = new Map([
  ['incorrect header check', 'gzip: invalid header'],
  ['incorrect data check', 'gzip: invalid checksum'],
  ['unexpected end of file', 'unexpected EOF'],
]);

/** The text of a failure after the connection was established. */
export function exchangeError(error: unknown, responded: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '', syscall, message } = error as SystemError;
  const of = (text: string) => new OutboundError(text, code, text);
  const broken = (text: string) => of(`net/http: HTTP/1.x transport connection broken: ${text}`);
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    if (syscall === 'read') return of('read: connection reset by peer');
    if (syscall === 'write') return of('write: connection reset by peer');
    return of(responded ? 'unexpected EOF' : 'EOF');
  }
  if (code === 'EPIPE') return of('write: broken pipe');
  if (code === 'HPE_HEADER_OVERFLOW')
    return of('net/http: server response headers exceeded 16384 bytes; aborted');
  if (code.startsWith('HPE_'))
    return broken(responded ? 'malformed chunked encoding' : 'malformed HTTP response');
  const alert = alertText(error as SystemError);
  if (alert !== undefined) return of(alert);
  if (code.startsWith('Z_')) return of(GZIP_TEXTS.get(message) ?? `gzip: invalid data: ${message}`);
  return of(message);
}
