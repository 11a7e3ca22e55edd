import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * Formats an EC private key as client-go does: `EC PRIVATE KEY` (SEC 1). Some clients (fabric8) read EC keys in no
 * other form.
 */
export const writePrivateKey = (key: KeyObject): string =>
  key.export({ type: 'sec1', format: 'pem' }).toString();

/**
 * Converts the PEM of an EC private key from PKCS #8 to SEC 1; returns any other text unchanged.
 * @throws Error for a `PRIVATE KEY` that cannot be parsed
 */
export function toEcPrivateKey(pem: string): string {
  if (!pem.includes('-----BEGIN PRIVATE KEY-----')) return pem;
  const key = createPrivateKey(pem);
  return key.asymmetricKeyType === 'ec' ? writePrivateKey(key) : pem;
}
