import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { combineAuthenticationData } from '../../src/controllers/combine-authentication-data.ts';
import { NOW, testCertificate } from '../authentication/x509/fixtures.ts';

const authority = (name: string): string =>
  new X509Certificate(testCertificate({ subject: [['CN', name]], isAuthority: true }).pem).toString();

it('combines CA bundles and lists of all servers', () => {
  const [one, other] = [authority('one'), authority('other')];
  const stored = {
    'client-ca-file': one,
    'requestheader-allowed-names': '["a"]',
    'requestheader-group-headers': 'broken',
    unknown: 'x',
  };
  const own = {
    'client-ca-file': other + one,
    'requestheader-client-ca-file': one,
    'requestheader-allowed-names': '["b","a"]',
    'requestheader-group-headers': '["g"]',
  };
  const combined = combineAuthenticationData(stored, own, NOW);
  expect(combined).toEqual({
    'client-ca-file': one + other,
    'requestheader-client-ca-file': one,
    'requestheader-allowed-names': '["a","b"]',
    'requestheader-group-headers': '["g"]',
  });
  expect(combineAuthenticationData(combined, own, NOW)).toEqual(combined);
});

it('leaves out expired certificates and those that cannot be read', () => {
  const expired = authority('expired');
  const later = Date.parse(new X509Certificate(expired).validTo) + 1;
  expect(combineAuthenticationData({ 'client-ca-file': `${expired}x` }, {}, later)).toEqual({});
});
