import { describe, expect, it } from 'vitest';
import { privilegedGroup, unionAuthorizer } from '../../src/authorization/authorizers.ts';
import { createRbacAuthorizer } from '../../src/authorization/rbac.ts';
import type { AccessReviewKind } from '../../src/authorization/review-validation.ts';
import { reviewAccess as reviewingAccess, reviewRules } from '../../src/authorization/reviews.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import type { Authorizer } from '../../src/request/attributes.ts';
import type { UserInfo } from '../../src/request/user.ts';
import { runInTurns } from '../../src/steps/run.ts';
import { user } from '../authentication/fixtures.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { RULES } from '../support/rule-context.ts';
import { TestRoles } from './fixtures.ts';

const reviewAccess = (
  kind: AccessReviewKind,
  review: KubernetesObject,
  requester: UserInfo,
  by: Authorizer,
) => runInTurns(loopTurns(), reviewingAccess(kind, review, requester, by, RULES));

const roles = new TestRoles()
  .setRole('', 'd', [{ nonResourceURLs: ['/openapi/*'], verbs: ['get'] }])
  .bind('', 'd', 'ClusterRole/d', { kind: 'Group', name: 'system:authenticated' });
const authorizer = unionAuthorizer([privilegedGroup, createRbacAuthorizer(roles)]);
const yuri = user('yuri', ['system:authenticated']);
const pods = { verb: 'list', resource: 'pods' };
const path = { path: '/', verb: 'get' };
const sendRequest = (
  spec: object,
  kind: AccessReviewKind = 'SelfSubjectAccessReview',
  metadata: object = {},
) => reviewAccess(kind, { metadata, spec }, yuri, authorizer);

describe('access reviews', () => {
  it('evaluate the requester or the named subject', async () => {
    expect(await sendRequest({ resourceAttributes: pods })).toEqual({
      metadata: {},
      spec: { resourceAttributes: pods },
      status: { allowed: false },
    });
    expect(
      (await sendRequest({ nonResourceAttributes: { path: '/openapi/v2', verb: 'get' } })).status,
    ).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "d" of ClusterRole "d" to Group "system:authenticated"',
    });
    expect(
      (
        await sendRequest(
          { user: 'x', groups: ['system:masters'], resourceAttributes: pods },
          'SubjectAccessReview',
        )
      ).status,
    ).toEqual({ allowed: true });
    expect(
      (
        await sendRequest(
          { user: 'x', nonResourceAttributes: { path: '/openapi/v2', verb: 'get' } },
          'SubjectAccessReview',
        )
      ).status,
    ).toEqual({ allowed: false });
    expect(
      await sendRequest(
        { user: 'x', resourceAttributes: { ...pods, namespace: 'n' } },
        'LocalSubjectAccessReview',
        {
          namespace: 'n',
        },
      ),
    ).toMatchObject({
      metadata: { namespace: 'n' },
      status: { allowed: false },
    });
  });

  it('cover every version by default', async () => {
    const seen: string[] = [];
    const observing: Authorizer = {
      name: 'observing',
      authorize({ version }) {
        seen.push(version);
        return { decision: 'no-opinion', reason: '' };
      },
    };
    for (const version of [undefined, '', 'v1']) {
      const resourceAttributes = { ...pods, ...(version === undefined ? {} : { version }) };
      const { spec } = await reviewAccess(
        'SelfSubjectAccessReview',
        { metadata: {}, spec: { resourceAttributes } },
        yuri,
        observing,
      );
      expect(spec).toEqual({ resourceAttributes });
    }
    expect(seen).toEqual(['*', '*', 'v1']);
  });

  it.each<[string[], string | undefined]>([
    [[], undefined],
    [['a'], 'a'],
    [['a', 'a'], 'a'],
    [['a', 'b', 'a'], '[a, b]'],
  ])('report each error once: %j', async (messages, evaluationError) => {
    const failing = messages.map(
      (message): Authorizer => ({
        name: message,
        authorize: () => ({ decision: 'no-opinion', reason: '', error: new Error(message) }),
      }),
    );
    const review = await reviewAccess(
      'SelfSubjectAccessReview',
      { metadata: {}, spec: { resourceAttributes: pods } },
      yuri,
      unionAuthorizer(failing),
    );
    expect((review.status as { evaluationError?: string }).evaluationError).toBe(evaluationError);
    const fieldSelector = { rawSelector: 'a b' };
    const both = await reviewAccess(
      'SelfSubjectAccessReview',
      { metadata: {}, spec: { resourceAttributes: { ...pods, fieldSelector } } },
      yuri,
      unionAuthorizer(failing),
    );
    const trouble = 'spec.resourceAttributes.fieldSelector ignored due to parse error';
    const distinct = [...new Set(messages), trouble];
    expect((both.status as { evaluationError?: string }).evaluationError).toBe(
      distinct.length === 1 ? trouble : `[${distinct.join(', ')}]`,
    );
  });

  it.each<[object, AccessReviewKind, object, string[]]>([
    [
      {},
      'SelfSubjectAccessReview',
      {},
      [
        'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
    ],
    [
      {},
      'SubjectAccessReview',
      {},
      [
        'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
        'spec.user: Invalid value: "": at least one of user or group must be specified',
      ],
    ],
    [
      { resourceAttributes: pods, nonResourceAttributes: path },
      'SelfSubjectAccessReview',
      {},
      [
        'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/", Verb:"get"}: cannot be specified in combination with resourceAttributes',
      ],
    ],
    [
      { user: 'u', resourceAttributes: { ...pods, namespace: 'other' } },
      'LocalSubjectAccessReview',
      { namespace: 'n' },
      ['spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace'],
    ],
    [
      { user: 'u', nonResourceAttributes: path },
      'LocalSubjectAccessReview',
      { namespace: 'n' },
      [
        'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/", Verb:"get"}: disallowed on this kind of request',
      ],
    ],
    [
      { resourceAttributes: pods },
      'SelfSubjectAccessReview',
      { name: 'x' },
      ['metadata: Invalid value: {"name":"x"}: must be empty'],
    ],
    [
      {
        resourceAttributes: {
          ...pods,
          fieldSelector: {},
          labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
        },
      },
      'SelfSubjectAccessReview',
      {},
      [
        'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
        'spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
      ],
    ],
    [
      {
        resourceAttributes: {
          ...pods,
          fieldSelector: { requirements: [{ key: '', operator: 'Exists' }] },
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'In' },
              { key: 'a', operator: 'Exists', values: ['b'] },
            ],
          },
        },
      },
      'SelfSubjectAccessReview',
      {},
      [
        'spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified',
        "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.resourceAttributes.labelSelector.requirements[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
  ])('reject %j as %s', async (spec, kind, metadata, causes) => {
    await expect(sendRequest(spec, kind, metadata)).rejects.toMatchObject({
      code: 422,
      message: `.authorization.k8s.io "" is invalid: ${causes.length === 1 ? causes[0] : `[${causes.join(', ')}]`}`,
      details: { group: 'authorization.k8s.io', causes: causes.map(() => expect.anything()) },
    });
  });

  it.each([
    [
      { fieldSelector: { rawSelector: 'a b c' } },
      'spec.resourceAttributes.fieldSelector ignored due to parse error',
    ],
    [
      { labelSelector: { rawSelector: 'a in (' } },
      'spec.resourceAttributes.labelSelector ignored due to parse error',
    ],
    [
      { fieldSelector: { requirements: [{ key: 'a', operator: 'Near', values: ['b'] }] } },
      'spec.resourceAttributes.fieldSelector ignored due to parse error',
    ],
    [
      {
        fieldSelector: { rawSelector: 'spec.nodeName=n1,metadata.name!=x' },
        labelSelector: { rawSelector: 'a in (x,y),!b,c' },
      },
      undefined,
    ],
  ])('%j: %s', async (selectors, evaluationError) => {
    expect((await sendRequest({ resourceAttributes: { ...pods, ...selectors } })).status).toEqual({
      allowed: false,
      ...(evaluationError === undefined ? {} : { evaluationError }),
    });
  });

  it('pass selectors on and report denials', async () => {
    let seen: unknown;
    const denying: Authorizer = {
      name: 'd',
      authorize: (attributes) => {
        seen = attributes.labelSelector;
        return { decision: 'deny', reason: 'never', error: new Error('half-blind') };
      },
    };
    const { status } = await reviewAccess(
      'SelfSubjectAccessReview',
      { spec: { resourceAttributes: { ...pods, labelSelector: { rawSelector: 'a!=b' } } } },
      yuri,
      denying,
    );
    expect(status).toEqual({ allowed: false, denied: true, reason: 'never', evaluationError: 'half-blind' });
    expect(seen).toEqual({ requirements: [{ key: 'a', operator: 'NotIn', values: ['b'] }] });
  });
});

describe('rules review', () => {
  it('lists the rules of the requester', async () => {
    expect(await reviewRules({ spec: { namespace: 'n' } }, yuri, authorizer)).toEqual({
      metadata: {},
      spec: {},
      status: {
        incomplete: false,
        resourceRules: [],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/openapi/*'] }],
      },
    });
    await expect(reviewRules({ spec: {} }, yuri, authorizer)).rejects.toMatchObject({
      code: 400,
      message: 'no namespace on request',
    });
  });
});
