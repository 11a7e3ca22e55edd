import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';

const LONGEST_CHAIN = 16;

/**
 * Reads the client's certificates, leaf first, as far as they form a chain (completed from the configured
 * authorities). Nothing is verified. Slow: call it once per connection.
 */
export function readPeerCertificates(socket: TLSSocket): readonly PeerCertificate[] | undefined {
  const leaf = socket.getPeerCertificate(true) as DetailedPeerCertificate | null;
  if (!leaf?.raw) return undefined;
  const chain: DetailedPeerCertificate[] = [leaf];
  for (
    let issuer = leaf.issuerCertificate;
    issuer?.raw && chain.length < LONGEST_CHAIN;
    issuer = issuer.issuerCertificate
  ) {
    if (chain.includes(issuer)) break;
    chain.push(issuer);
  }
  return chain;
}
