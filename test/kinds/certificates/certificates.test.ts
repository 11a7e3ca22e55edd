import { describe, expect, it } from 'vitest';
import { validateSignerName } from '../../../src/kinds/validation/signer-names.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('certificates.k8s.io');

const pem = (label: string, body = 'MAMCAQA='): string =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const strategy = strategies['certificatesigningrequests']!;
const spec = {
  request: btoa(pem('CERTIFICATE REQUEST')),
  signerName: 'example.test/signer',
  usages: ['client auth'],
};
const context = contextOf({
  user: { name: 'u', uid: '1', groups: ['g'], extra: new Map([['__proto__', ['x']]]) },
});

describe('certificate signing requests', () => {
  it('records the authenticated user as the requester', () => {
    const { object, errors } = created(
      strategy,
      { spec: { ...spec, username: 'root', extra: { a: ['b'] } } },
      context,
    );
    expect(errors).toEqual([]);
    expect(object.spec).toMatchObject({ username: 'u', uid: '1', groups: ['g'] });
    expect(Object.entries((object.spec as { extra: object }).extra)).toEqual([['__proto__', ['x']]]);
  });

  it.each([
    [{ request: btoa(pem('CERTIFICATE')) }, /^spec\.request: .*PEM block type must be CERTIFICATE REQUEST$/],
    [{ usages: ['x'] }, /^spec\.usages\[0\]: Unsupported value: "x"/],
    [{ usages: ['any', 'any'] }, /^spec\.usages\[1\]: Duplicate value: "any"$/],
    [
      { expirationSeconds: 599 },
      /^spec\.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds/,
    ],
  ])('validates %j', (change, expected) =>
    expect(errorsOf(strategy, { spec: { ...spec, ...change } }, context)).toEqual([
      expect.stringMatching(expected),
    ]),
  );

  it('truncates a long request in the error', () => {
    const [error] = errorsOf(strategy, { spec: { ...spec, request: btoa('x'.repeat(1_000_000)) } }, context);
    expect(error!.length).toBeLessThan(30_000);
  });

  const { object } = created(strategy, { spec }, context);
  const subresource = (name: string, status: object, old = object) =>
    updated(strategy, { spec, status }, old, { ...context, subresource: name });
  const approved = { type: 'Approved', status: 'True', reason: 'R' };
  const certificate = btoa(pem('CERTIFICATE'));

  it('allows approval in one subresource and the certificate in the other', () => {
    const decided = subresource('approval', { conditions: [approved], certificate });
    expect(decided.errors).toEqual([]);
    expect(decided.object.status).toEqual({
      certificate: undefined,
      conditions: [{ ...approved, lastUpdateTime: context.now(), lastTransitionTime: context.now() }],
    });

    expect(
      subresource('status', { conditions: [{ type: 'Denied', status: 'True' }], certificate }, decided.object)
        .errors,
    ).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
      'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
    ]);
    const answered = subresource(
      'status',
      { conditions: [{ ...approved, reason: 'other' }], certificate },
      decided.object,
    );
    expect(answered.errors).toEqual([]);
    expect(answered.object.status).toMatchObject({ certificate, conditions: [approved] });
    expect(
      subresource(
        'status',
        { conditions: [approved], certificate: btoa(pem('CERTIFICATE', 'MAA=')) },
        answered.object,
      ).errors,
    ).toEqual(['status.certificate: Forbidden: updates may not change existing certificate']);
  });

  it('rejects contradicting and removed decisions', () => {
    expect(
      subresource('approval', { conditions: [approved, { type: 'Denied', status: 'True' }] }).errors,
    ).toEqual([
      'status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
    expect(subresource('approval', { conditions: [{ ...approved, status: 'False' }] }).errors).toEqual([
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    ]);
    const decided = subresource('approval', { conditions: [approved] }).object;
    expect(subresource('approval', {}, decided).errors).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });
});

it('requires signer names with a domain and a path', () => {
  const errors = (name: string): number => validateSignerName(name, 'f').length;
  expect(
    ['example.test/a', 'kubernetes.io/kube-apiserver-client', '', 'a', 'a/b', 'a.b/c/d', 'A.b/c'].map(errors),
  ).toEqual([0, 0, 1, 1, 1, 1, 1]);
});
