import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The header of an administrator at servers with the flags of {@link sharedCredentials}. */
export const AUTHORIZATION = 'Bearer secret';

/** Writes credentials that several servers of one cluster share, and returns the flags that name them. */
export function sharedCredentials(directory: string): string[] {
  const [key, tokens] = [join(directory, 'sa.key'), join(directory, 'tokens')];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(tokens, 'secret,admin,1,"system:masters"\n');
  return [
    `--service-account-signing-key-file=${key}`,
    `--service-account-key-file=${key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${tokens}`,
  ];
}
