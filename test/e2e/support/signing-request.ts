import { execFileSync, spawnSync } from 'node:child_process';

/** Whether openssl is installed. */
export const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;

/**
 * Creates a certificate request for a user with a new key: PEM in base64, as in CertificateSigningRequests.
 */
export function signingRequest(user: string): string {
  const words = [
    'req',
    '-new',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    '/dev/null',
    '-subj',
    `/CN=${user}`,
  ];
  return execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString('base64');
}
