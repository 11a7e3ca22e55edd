import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localUrl, writeKubeconfig } from '../../src/kubeconfig/write-kubeconfig.ts';
import { temporaryDirectory } from '../options/fixtures.ts';

const CONTENT = {
  server: 'https://[::1]:6443',
  caBundle: 'ca',
  client: { certificate: 'certificate', key: 'key' },
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('writeKubeconfig', () => {
  it('writes a kubeconfig that only its owner can read', () => {
    const file = join(temporaryDirectory(), 'deep', 'kubeconfig');
    writeKubeconfig(file, CONTENT);
    // Every value is a plain word, base64 or a URL, so that it is valid unquoted YAML.
    const values = new Map(
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(': ') as [string, string]),
    );
    expect(values.get('current-context')).toBe('binnacle');
    expect(values.get('server')).toBe('https://[::1]:6443');
    expect(values.get('certificate-authority-data')).toBe(base64('ca'));
    expect(values.get('client-certificate-data')).toBe(base64('certificate'));
    expect(values.get('client-key-data')).toBe(base64('key'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('replaces its own file, and skips an equal one', () => {
    const file = join(temporaryDirectory(), 'kubeconfig');
    writeKubeconfig(file, CONTENT);
    const { ino } = statSync(file);
    writeKubeconfig(file, CONTENT);
    expect(statSync(file).ino).toBe(ino);
    writeKubeconfig(file, { ...CONTENT, server: 'https://127.0.0.1:7000' });
    expect(readFileSync(file, 'utf8')).toContain('https://127.0.0.1:7000');
  });

  it('never overwrites a file that it did not write', () => {
    const file = join(temporaryDirectory(), 'config');
    writeFileSync(file, 'apiVersion: v1\nkind: Config\n');
    expect(() => writeKubeconfig(file, CONTENT)).toThrow(
      `${file} exists and was not written by Binnacle: choose another file with --kubeconfig-out, or remove it`,
    );
    expect(readFileSync(file, 'utf8')).toBe('apiVersion: v1\nkind: Config\n');
  });

  it('contains an address that clients can reach', () => {
    expect(['127.0.0.1', '0.0.0.0', '::', '::1', '10.0.0.7'].map((address) => localUrl(address, 1))).toEqual([
      'https://127.0.0.1:1',
      'https://127.0.0.1:1',
      'https://[::1]:1',
      'https://[::1]:1',
      'https://10.0.0.7:1',
    ]);
  });
});
