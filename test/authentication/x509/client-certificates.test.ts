import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthentication } from '../../../src/authentication/union.ts';
import { clientCertificateAuthenticator, parseCaBundle } from '../../../src/authentication/x509/index.ts';
import type { Authenticated } from '../../../src/request/authenticator.ts';
import { credentials } from '../fixtures.ts';
import {
  NOW,
  peers,
  type TestCertificate,
  type TestCertificateOptions,
  testCertificate,
} from './fixtures.ts';

const CLIENT = '1.3.6.1.5.5.7.3.2';
const SERVER = '1.3.6.1.5.5.7.3.1';
const root = testCertificate({ subject: [['CN', 'root']], isAuthority: true });
const other = testCertificate({ subject: [['CN', 'other']], isAuthority: true });
const intermediate = testCertificate({
  subject: [['CN', 'between']],
  issuer: root,
  isAuthority: true,
  pathLength: 0,
});
const leaf = (changes: Partial<TestCertificateOptions> = {}): TestCertificate =>
  testCertificate({
    subject: [
      ['O', 'dev'],
      ['O', 'qa'],
      ['CN', 'carol'],
    ],
    issuer: root,
    purposes: [CLIENT],
    ...changes,
  });

let time = NOW;
const authenticator = clientCertificateAuthenticator({ authorities: () => authorities, now: () => time });
const authorities = parseCaBundle(other.pem + root.pem, 'ca.pem');
const sendRequest = (...chain: readonly TestCertificate[]) =>
  authenticator.authenticate(credentials({}, '/', peers(...chain))) as Authenticated | undefined;

describe('client certificates', () => {
  it('map to name, groups and credential id', () => {
    const carol = leaf();
    const { user } = sendRequest(carol)!;
    expect(user).toMatchObject({ name: 'carol', uid: '', groups: ['dev', 'qa', 'system:authenticated'] });
    expect([...user.extra]).toEqual([
      [
        'authentication.kubernetes.io/credential-id',
        [`X509SHA256=${createHash('sha256').update(carol.raw).digest('hex')}`],
      ],
    ]);
  });

  it('accept an intermediate from the client and keep special characters', () => {
    expect(sendRequest(leaf({ issuer: intermediate }), intermediate)?.user.name).toBe('carol');
    expect(
      sendRequest(
        leaf({
          subject: [
            ['UID', 'u'],
            ['CN', 'a,b\n"ü"+c'],
            ['O', 'x\\y'],
          ],
          purposes: [],
        }),
      )?.user,
    ).toMatchObject({ name: 'a,b\n"ü"+c', uid: '', groups: ['x\\y', 'system:authenticated'] });
  });

  it('name the uid of the user where the release reads it', () => {
    const reading = clientCertificateAuthenticator({
      authorities: () => authorities,
      now: () => time,
      readsUid: true,
    });
    const answer = (...uids: string[]) => {
      const subject = [...uids.map((uid) => ['UID', uid] as const), ['CN', 'carol'] as const];
      const found = reading.authenticate(credentials({}, '/', peers(leaf({ subject })))) as Authenticated;
      return found.user.uid;
    };
    expect(answer()).toBe('');
    expect(answer('one')).toBe('one');
    expect(() => answer('one', 'two')).toThrow('expected 1 UID, but found multiple: [one two]');
    expect(() => answer('')).toThrow('UID cannot be an empty string');
  });

  it('limit chains to ten certificates', () => {
    const way = (length: number): TestCertificate[] => {
      const chain = [testCertificate({ subject: [['CN', 'step-0']], issuer: root, isAuthority: true })];
      for (let step = 1; step < length; step++)
        chain.unshift(
          testCertificate({ subject: [['CN', `step-${step}`]], issuer: chain[0]!, isAuthority: true }),
        );
      return chain;
    };
    const [short, long] = [way(8), way(9)];
    expect(sendRequest(leaf({ issuer: short[0]! }), ...short)?.user.name).toBe('carol');
    expect(() => sendRequest(leaf({ issuer: long[0]! }), ...long)).toThrow('unknown authority');
  });

  const deep = testCertificate({ subject: [['CN', 'deep']], issuer: intermediate, isAuthority: true });
  const pretender = testCertificate({ subject: [['CN', 'root']], isAuthority: true });
  const plain = testCertificate({ subject: [['CN', 'plain']], issuer: root });
  it.each<[string, TestCertificate[], RegExp]>([
    ['expired', [leaf({ until: -0.5 })], /expired/],
    ['not yet valid', [leaf({ from: 0.5 })], /not yet valid/],
    [
      'of an unknown authority',
      [leaf({ issuer: testCertificate({ subject: [['CN', 'stranger']], isAuthority: true }) })],
      /unknown authority/,
    ],
    ['of a pretender', [leaf({ issuer: pretender }), pretender], /unknown authority/],
    ['for servers only', [leaf({ purposes: [SERVER] })], /key usage/],
    ['without a common name', [leaf({ subject: [['O', 'dev']] })], /common name/],
    ['with an empty one', [leaf({ subject: [['CN', '']] })], /common name/],
    ['without its intermediate', [leaf({ issuer: intermediate })], /unknown authority/],
    ['the issuer is not a CA', [leaf({ issuer: plain }), plain], /unknown authority/],
    ['further down than allowed', [leaf({ issuer: deep }), deep, intermediate], /not authorized/],
    ['with an unknown critical extension', [leaf({ critical: '1.2.3.4' })], /critical extension 1\.2\.3\.4/],
    ['with a weak signature', [leaf({ hash: 'sha1' })], /insecure/],
  ])('are rejected when %s', (_title, chain, message) =>
    expect(() => sendRequest(...chain)).toThrow(message),
  );

  it('are verified once per connection and again after expiry', () => {
    const connection = peers(leaf());
    const request = credentials({}, '/', connection);
    const first = authenticator.authenticate(request);
    expect(authenticator.authenticate(request)).toBe(first);
    time = NOW + 2 * 86_400_000;
    expect(() => authenticator.authenticate(request)).toThrow(/expired/);
    time = NOW;
  });

  it('ignore requests without a certificate', () => {
    expect(sendRequest()).toBeUndefined();
    expect(
      createAuthentication([authenticator], { anonymous: () => true })(
        credentials({}, '/', peers(leaf({ until: -0.5 }))),
      ),
    ).toBeUndefined();
  });

  it('reject an empty CA bundle', () => {
    expect(() => parseCaBundle('nothing', 'ca.pem')).toThrow('unable to load client CA file "ca.pem"');
    expect(() =>
      parseCaBundle('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'ca.pem'),
    ).toThrow('ca.pem');
  });
});
