import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { OutboundError } from './outbound-error.ts';

/**
 * Checks that a verified certificate is for a host, like Go: only subject alternative names count, never the
 * common name.
 * @returns undefined if it is, else the error with Go's text
 */
export function certificateIdentityError(
  host: string,
  certificate: PeerCertificate,
): OutboundError | undefined {
  const names = (certificate.subjectaltname ?? '').split(', ');
  const dns = names.filter((name) => name.startsWith('DNS:')).map((name) => name.slice(4));
  const addresses = names
    .filter((name) => name.startsWith('IP Address:'))
    .map((name) => name.slice('IP Address:'.length));
  const listed = isIP(host) === 0 ? dns : addresses;
  if (listed.length > 0 && checkServerIdentity(host, certificate) === undefined) return undefined;
  const text = `tls: failed to verify certificate: x509: ${reason(host, listed, certificate)}`;
  return new OutboundError(text, 'ERR_TLS_CERT_ALTNAME_INVALID', text);
}

function reason(
  host: string,
  listed: readonly string[],
  { subjectaltname, subject }: PeerCertificate,
): string {
  if (subjectaltname === undefined && isNameFor(subject?.CN, host))
    return 'certificate relies on legacy Common Name field, use SANs instead';
  if (listed.length > 0) return `certificate is valid for ${listed.join(', ')}, not ${host}`;
  return isIP(host) === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
}

/** Whether a common name, whose first label may be a wildcard, is that of a host. */
function isNameFor(commonName: string | string[] | undefined, host: string): boolean {
  const name = [commonName ?? ''].flat().at(-1)!;
  const labels = name.toLowerCase().split('.');
  const wanted = host.toLowerCase().replace(/\.$/, '').split('.');
  return (
    name !== '' &&
    labels.length === wanted.length &&
    labels.every((label, at) => label === wanted[at] || (at === 0 && label === '*'))
  );
}
