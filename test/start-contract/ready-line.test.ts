import { expect, it } from 'vitest';
import { plainVersion, type ReadyLine, readyLineText } from '../../src/start-contract/ready-line.ts';

const LINE: ReadyLine = {
  binnacle: '0.1.0',
  url: 'https://[::1]:6443',
  kubeconfig: '/tmp/a "folder"\n/kubeconfig',
  ca: '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n',
  version: '1.32.13',
  pid: 123,
};

it('is one line, whatever the members have', () => {
  const text = readyLineText(LINE);
  expect(text.indexOf('\n')).toBe(text.length - 1);
  expect(JSON.parse(text)).toEqual(LINE);
});

it('begins with the product, by which files are recognized', () => {
  expect(readyLineText(LINE)).toMatch(/^\{"binnacle":"0\.1\.0",/);
});

it.each([
  ['v1.32.13', '1.32.13'],
  ['v1.37.0-beta.1+build', '1.37.0'],
  ['1.32.13', '1.32.13'],
  ['other', 'other'],
])('shows the version %s as %s', (version, plain) => {
  expect(plainVersion(version)).toBe(plain);
});
