import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPemSigningRequest } from '../../src/pki/certificate-request.ts';
import { createAuthority } from '../../src/pki/issue-certificate.ts';
import { createSigningAuthority } from '../../src/pki/signing-authority.ts';
import { certificateRequest } from '../support/certificate-request.ts';

const HOUR = 3_600_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const pair = createAuthority(
  { commonName: 'test-ca', organizations: ['o'] },
  new Date(now - HOUR),
  new Date(now + 100 * HOUR),
);
const authority = createSigningAuthority(pair, 'the test');

describe('a certificate request', () => {
  it('is parsed with all requested extensions', () => {
    const { request } = certificateRequest({
      commonName: 'zoë',
      organizations: ['one', 'two'],
      hosts: ['a.example'],
      addresses: [[10, 0, 0, 1]],
      emails: ['a@example'],
      uris: ['spiffe://a'],
    });
    const read = readPemSigningRequest(request);
    expect(read).toMatchObject({
      commonName: 'zoë',
      organizations: ['one', 'two'],
      hosts: ['a.example'],
      emails: ['a@example'],
      uris: ['spiffe://a'],
    });
    expect(read.addresses).toHaveLength(1);
    expect(() => read.checkSignature()).not.toThrow();
  });

  it('must be signed with its own key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() =>
      readPemSigningRequest(
        certificateRequest({ commonName: 'x', signer: privateKey }).request,
      ).checkSignature(),
    ).toThrow('unable to verify certificate request signature');
  });

  it('must be a single unambiguous PEM block', () => {
    const { request } = certificateRequest({ commonName: 'x' });
    expect(() => readPemSigningRequest(`\n${request}\n`)).not.toThrow();
    expect(() => readPemSigningRequest(`-----BEGIN X-----\nAAAA\n-----END Y-----\n${request}`)).toThrow(
      'PEM block type must be CERTIFICATE REQUEST',
    );
    expect(() => readPemSigningRequest(request + request)).toThrow(
      'PEM block type must be CERTIFICATE REQUEST',
    );
  });

  it('with any corrupt byte is rejected or fails its signature', () => {
    const { request } = certificateRequest({ commonName: 'x', organizations: ['o'], hosts: ['h'] });
    const bytes = Buffer.from(request.replace(/-----[^-]+-----/g, ''), 'base64');
    for (let at = 0; at < bytes.length; at++) {
      for (const change of [0x01, 0x80, 0xff]) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= change;
        const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${damaged.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
        expect(() => readPemSigningRequest(pem).checkSignature(), `byte ${at}`).toThrow();
      }
    }
    fc.assert(
      fc.property(fc.uint8Array(), (random) => {
        const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(random).toString('base64')}\n-----END CERTIFICATE REQUEST-----`;
        expect(() => readPemSigningRequest(pem)).toThrow();
      }),
    );
    expect(() => readPemSigningRequest('nothing')).toThrow('PEM block type must be CERTIFICATE REQUEST');
  });
});

describe('the signing CA', () => {
  it.each(['ec', 'rsa', 'ed25519'] as const)('signs requests with %s keys', (kind) => {
    const { request, privateKey } = certificateRequest({
      commonName: 'zoë',
      organizations: ['crew'],
      hosts: ['a.example'],
      addresses: [[127, 0, 0, 1]],
      kind,
    });
    const certificate = new X509Certificate(
      authority.issue(
        readPemSigningRequest(request),
        ['digital signature', 'key encipherment', 'client auth'],
        36_000,
        now,
      ),
    );
    const issuer = new X509Certificate(pair.certificate);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.checkPrivateKey(privateKey)).toBe(true);
    expect(certificate.subject).toBe('O=crew\nCN=zoë');
    expect(certificate.subjectAltName).toBe('DNS:a.example, IP Address:127.0.0.1');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.ca).toBe(false);
    expect(Date.parse(certificate.validFrom)).toBe(now - 300_000);
    // A backdated certificate with a long lifetime expires earlier by the same amount.
    expect(Date.parse(certificate.validTo)).toBe(now + 36_000_000 - 300_000);
  });

  it('grants a short lifetime in full, and none beyond its own', () => {
    const request = readPemSigningRequest(certificateRequest({ commonName: 'x' }).request);
    const end = (seconds: number) =>
      Date.parse(new X509Certificate(authority.issue(request, ['client auth'], seconds, now)).validTo);
    expect(end(600)).toBe(now + 600_000);
    expect(end(1_000_000)).toBe(now + 100 * HOUR);
  });

  it('requires the matching key', () => {
    const other = createAuthority({ commonName: 'other' }, new Date(now), new Date(now + HOUR));
    expect(() => createSigningAuthority({ ...pair, key: other.key }, 'x.crt')).toThrow(
      'error reading CA cert and key of x.crt: the private key does not match the certificate',
    );
    expect(() => createSigningAuthority({ ...pair, key: 'nonsense' }, 'x.crt')).toThrow(
      'error reading CA cert and key of x.crt',
    );
  });
});
