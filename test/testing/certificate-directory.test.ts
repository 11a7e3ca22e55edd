import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';
import { startCluster } from '../../src/testing/index.ts';

/** Returns the serving certificate of a server. */
function served(url: string): Promise<X509Certificate> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('--cert-dir with storage in memory', () => {
  it('contains the generated certificates', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-certificates-'));
    try {
      const [validFrom, validTo] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
      const company = createAuthority({ commonName: 'company' }, validFrom, validTo);
      const leaf = issueCertificate(company, {
        subject: { commonName: 'given' },
        usage: 'server',
        hosts: ['localhost'],
        validFrom,
        validTo,
      });
      writeFileSync(join(directory, 'apiserver.crt'), leaf.certificate);
      writeFileSync(join(directory, 'apiserver.key'), leaf.key);
      await using cluster = await startCluster({ certDir: directory, controllers: ['-*'] });
      expect((await served(cluster.url)).subject).toBe('CN=given');
      expect(new X509Certificate(readFileSync(join(directory, 'ca.crt'))).ca).toBe(true);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
