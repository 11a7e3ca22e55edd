import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

const LONGEST_CHAIN = 16;

/**
 * Reads the certificates that the client sent, leaf first. Nothing is verified, and nothing is added from the
 * authorities of the listener.
 */
export function readPeerCertificates(socket: TLSSocket): readonly X509Certificate[] | undefined {
  const chain: X509Certificate[] = [];
  let certificate = socket.getPeerX509Certificate();
  for (
    ;
    certificate !== undefined && chain.length < LONGEST_CHAIN;
    certificate = certificate.issuerCertificate
  )
    chain.push(certificate);
  return chain.length === 0 ? undefined : chain;
}
