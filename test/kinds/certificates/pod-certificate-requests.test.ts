import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { podCertificateRequestStrategy } from '../../../src/kinds/certificates/pod-certificate-request.ts';
import type { StrategyContext } from '../../../src/kinds/strategy.ts';
import { isAlive, type Life, type Minor } from '../../../src/model/life.ts';
import { loadScheme } from '../../../src/model/scheme.ts';
import { createAuthority } from '../../../src/pki/issue-certificate.ts';

await loadScheme('1.37');

const context = (minor: Minor, subresource = '') =>
  ({
    has: (life: Life) => isAlive(life, minor),
    now: () => '2026-01-01T00:00:00Z',
    user: { name: 'paul' },
    subresource,
  }) as StrategyContext;
const strategyOf = (isAllowed: boolean) =>
  podCertificateRequestStrategy({ isAllowed: async () => isAllowed });
const { validate, validateSubresource } = strategyOf(true);

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const encode = (bytes: Buffer) => bytes.toString('base64');
const KEYED = {
  pkixPublicKey: encode(publicKey.export({ format: 'der', type: 'spki' })),
  proofOfPossession: encode(sign(undefined, Buffer.from('pod-uid'), privateKey)),
};
const SPEC = {
  signerName: 'example.com/signer',
  podName: 'p',
  podUID: 'pod-uid',
  serviceAccountName: 's',
  serviceAccountUID: 'u',
  nodeName: 'n',
  nodeUID: 'm',
  maxExpirationSeconds: 86_400,
  ...KEYED,
};
const fieldsOf = (spec: object, minor: Minor = '1.37') =>
  validate!({ spec: { ...SPEC, ...spec } } as never, context(minor)).map(({ field }) => field);

describe('a new request', () => {
  it('has a key and a proof', () => expect(fieldsOf({})).toEqual([]));

  it.each([
    [{ podUID: 'other' }, ['spec.proofOfPossession']],
    [{ proofOfPossession: undefined }, ['spec']],
    [{ stubPKCS10Request: 'AAAA' }, ['spec']],
    [
      { stubPKCS10Request: 'AAAA', pkixPublicKey: undefined, proofOfPossession: undefined },
      ['spec.stubPKCS10Request'],
    ],
    [{ maxExpirationSeconds: 3599 }, ['spec.maxExpirationSeconds']],
    [{ signerName: 'a.kubernetes.io/x', maxExpirationSeconds: 86_401 }, ['spec.maxExpirationSeconds']],
    [{ unverifiedUserAnnotations: { a: 'x' } }, ['spec.unverifiedUserAnnotations']],
    [{ nodeName: 'N', nodeUID: '' }, ['spec.nodeName', 'spec.nodeUID']],
  ])('is refused with %j', (spec, fields) => expect(fieldsOf(spec)).toEqual(fields));

  it('refuses keys of other kinds', () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    expect(fieldsOf({ pkixPublicKey: encode(small.export({ format: 'der', type: 'spki' })) })).toEqual([
      'spec.pkixPublicKey',
    ]);
  });
});

describe('a decision', () => {
  const isTrue = (type: string) => ({
    type,
    status: 'True',
    reason: 'R',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  const decide = (status: object, spec: object = SPEC, old: object = {}) =>
    validateSubresource!['status']!(
      { spec, status } as never,
      { spec, status: old } as never,
      context('1.37', 'status'),
    ).map(({ field, body }) => `${field}: ${body}`);

  it.each([
    [{ conditions: [isTrue('Denied')] }, undefined],
    [{ conditions: [isTrue('Other')] }, 'Unsupported value: "Other"'],
    [{ conditions: [isTrue('Denied'), isTrue('Failed')] }, 'There may be at most one condition'],
    [{ conditions: [isTrue('Failed')], certificateChain: 'x' }, 'must be empty when denying'],
    [{ conditions: [isTrue('Issued')] }, 'must contain at least one certificate'],
    [{ certificateChain: 'x' }, 'status is immutable unless'],
  ])('%j', (status, text) => {
    const errors = decide(status);
    if (text === undefined) expect(errors).toEqual([]);
    else expect(errors[0]).toContain(text);
  });

  it('is made once', () =>
    expect(decide({ conditions: [isTrue('Failed')] }, SPEC, { conditions: [isTrue('Denied')] })).toEqual([
      'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
    ]));

  it('has a certificate for the key, with its times', () => {
    const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T12:00:00Z')];
    const { certificate: chain, key } = createAuthority({ commonName: 'x' }, from, to);
    const certified = createPublicKey(key).export({ format: 'der', type: 'spki' });
    const spec = { ...SPEC, pkixPublicKey: encode(certified) };
    const issued = { conditions: [isTrue('Issued')], certificateChain: chain };
    const times = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T12:00:00Z' };
    expect(decide(issued)[0]).toContain('not issued to the requested public key');
    expect(decide(issued, spec)).toHaveLength(3);
    expect(decide({ ...issued, ...times, beginRefreshAt: '2026-01-01T06:00:00Z' }, spec)).toEqual([]);
    expect(decide({ ...issued, ...times, beginRefreshAt: '2026-01-01T11:59:00Z' }, spec)[0]).toContain(
      'at least 10 minutes before status.notAfter',
    );
  });

  it('needs the permission to sign', async () => {
    const object = { metadata: { name: 'r' }, spec: SPEC, status: { conditions: [isTrue('Denied')] } };
    const authorize = (allowed: boolean) =>
      strategyOf(allowed).authorize!(object as never, { spec: SPEC } as never, context('1.37', 'status'));
    await authorize(true);
    await expect(authorize(false)).rejects.toThrow('User "paul" is not permitted to "sign"');
  });
});
