import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RequestHeaderOptions,
  requestHeaderAuthenticator,
} from '../../src/authentication/request-header.ts';
import { createAuthentication } from '../../src/authentication/union.ts';
import { parseCaBundle } from '../../src/authentication/x509/index.ts';
import { type Authenticated, AuthenticationError } from '../../src/request/authenticator.ts';
import { credentials } from './fixtures.ts';
import { NOW, peers, testCertificate } from './x509/fixtures.ts';

const CLIENT = '1.3.6.1.5.5.7.3.2';
const SERVER = '1.3.6.1.5.5.7.3.1';
const authority = testCertificate({ subject: [['CN', 'proxies']], isAuthority: true });
const proxy = testCertificate({ subject: [['CN', 'front-proxy']], issuer: authority, purposes: [CLIENT] });
const authorities = parseCaBundle(authority.pem, 'ca.pem');
const make = (changes: Partial<RequestHeaderOptions> = {}) =>
  requestHeaderAuthenticator({
    authorities: () => authorities,
    allowedNames: ['front-proxy'],
    usernameHeaders: ['X-Remote-User', 'X-User'],
    uidHeaders: ['X-Remote-Uid'],
    groupHeaders: ['X-Remote-Group', 'X-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
    now: () => NOW,
    ...changes,
  });
const sendRequest = (
  headers: Record<string, string | string[]>,
  certificate = proxy,
  authenticator = make(),
) => authenticator.authenticate(credentials(headers, '/', peers(certificate))) as Authenticated | undefined;

describe('requestHeaderAuthenticator', () => {
  it('reads name, uid, groups and extra attributes', () => {
    const { user } = sendRequest({
      'x-remote-user': 'ivy',
      'x-remote-uid': 'u-1',
      'x-remote-group': ['one', '', 'two'],
      'x-group': 'three',
      'x-remote-extra-acme.com%2fkey': ['a', 'b'],
      'x-remote-extra-__proto__': 'c',
    })!;
    expect(user).toMatchObject({
      name: 'ivy',
      uid: 'u-1',
      groups: ['one', 'two', 'three', 'system:authenticated'],
    });
    expect([...user.extra]).toEqual([
      ['acme.com/key', ['a', 'b']],
      ['__proto__', ['c']],
    ]);
  });

  it('falls back to further headers, decodes UTF-8 and uses the first of repeated user headers', () => {
    expect(
      sendRequest({ 'x-remote-user': '', 'x-user': Buffer.from('jürgen').toString('latin1') })?.user.name,
    ).toBe('jürgen');
    expect(sendRequest({ 'x-remote-user': ['ann', 'bob'] })?.user.name).toBe('ann');
  });

  it('ignores a request without a user header', () => {
    expect(sendRequest({ 'x-remote-group': 'system:masters' })).toBeUndefined();
  });

  it('accepts any common name without a list of allowed names', () => {
    const other = testCertificate({ subject: [['CN', 'other']], issuer: authority, purposes: [CLIENT] });
    expect(() => sendRequest({ 'x-remote-user': 'ivy' }, other)).toThrow(
      'subject with cn=other is not in the allowed list',
    );
    expect(sendRequest({ 'x-remote-user': 'ivy' }, other, make({ allowedNames: [] }))?.user.name).toBe('ivy');
  });

  it.each([
    [
      'of another authority',
      testCertificate({
        subject: [['CN', 'front-proxy']],
        issuer: testCertificate({ subject: [['CN', 'x']], isAuthority: true }),
      }),
    ],
    ['expired', testCertificate({ subject: [['CN', 'front-proxy']], issuer: authority, until: -0.5 })],
    [
      'for servers',
      testCertificate({ subject: [['CN', 'front-proxy']], issuer: authority, purposes: [SERVER] }),
    ],
  ])('rejects a certificate %s', (_title, certificate) => {
    expect(() => sendRequest({ 'x-remote-user': 'ivy' }, certificate)).toThrow(AuthenticationError);
  });

  it('ignores the headers without a client certificate', async () => {
    const authenticate = createAuthentication([make()], { anonymous: () => true });
    const headers = fc.dictionary(
      fc.constantFrom('x-remote-user', 'x-user', 'x-remote-group', 'x-remote-extra-a', 'x-remote-uid'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(headers, async (given) => {
        expect((await authenticate(credentials(given)))?.user.name).toBe('system:anonymous');
      }),
    );
  });

  it('accepts arbitrary header names and values', () => {
    const headers = fc.dictionary(
      fc.oneof(
        fc.constantFrom('x-remote-user', 'x-remote-group'),
        fc.string().map((text) => `x-remote-extra-${text}`),
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(headers, (given) => {
        const { user } = sendRequest({ ...given, 'x-remote-user': 'ivy' })!;
        expect(user.name).toBe('ivy');
        expect(user.groups.at(-1)).toBe('system:authenticated');
      }),
    );
  });
});
