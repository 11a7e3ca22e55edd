import { X509Certificate } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SILENT } from '../../src/observability/log.ts';
import { createDynamicCaBundle } from '../../src/pki/dynamic-ca-bundle.ts';
import { testCertificate } from '../authentication/x509/fixtures.ts';

const canonical = (pem: string | undefined): string => new X509Certificate(pem!).toString();

describe('createDynamicCaBundle', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-authorities-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('reloads a changed file and keeps the previous bundle when it is corrupt', {
    timeout: 60_000,
  }, async () => {
    const [own, first, second] = ['own', 'first', 'second'].map(
      (name) => testCertificate({ subject: [['CN', name]], isAuthority: true }).pem,
    );
    const file = join(directory, 'ca.pem');
    const replace = (text: string) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    replace(first!);
    const errors: string[] = [];
    const logger = { ...SILENT, error: (message: string) => void errors.push(message) };
    const source = createDynamicCaBundle({ file, purpose: 'client-ca-bundle', fixed: () => [own!], logger });
    const names = () => source.authorities().map(({ x509 }) => x509.subject);
    expect(names()).toEqual(['CN=own', 'CN=first']);
    expect(source.bundle()).toEqual([first].map(canonical));
    const before = source.authorities();
    expect(source.authorities()).toBe(before);
    replace('no certificate');
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(source.authorities()).toBe(before);
    replace(second!);
    await expect.poll(names).toEqual(['CN=own', 'CN=second']);
    expect(source.bundle()).toEqual([second].map(canonical));
    source.stop();
  });

  it('rejects a missing or empty file at start', () => {
    const options = { purpose: 'request-header' as const, fixed: () => [], logger: SILENT };
    expect(() => createDynamicCaBundle({ ...options, file: join(directory, 'absent') })).toThrow(
      'no such file or directory',
    );
    expect(createDynamicCaBundle({ ...options, file: '' }).authorities()).toEqual([]);
  });
});
