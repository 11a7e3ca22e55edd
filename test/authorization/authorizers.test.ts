import { describe, expect, it } from 'vitest';
import {
  allowPaths,
  alwaysAllow,
  alwaysDeny,
  privilegedGroup,
  unionAuthorizer,
} from '../../src/authorization/authorizers.ts';
import { forbiddenError } from '../../src/authorization/forbidden.ts';
import type { Authorizer, AuthorizerResult } from '../../src/request/attributes.ts';
import { user } from '../authentication/fixtures.ts';
import { attributes } from './fixtures.ts';

const says = (result: AuthorizerResult, late = false): Authorizer => ({
  name: 'x',
  authorize: () => (late ? Promise.resolve(result) : result),
});
const none = (reason: string): AuthorizerResult => ({ decision: 'no-opinion', reason });

describe('unionAuthorizer', () => {
  it('returns the first decision, synchronously if possible', async () => {
    expect(unionAuthorizer([says(none('')), alwaysAllow]).authorize(attributes({}))).toEqual({
      decision: 'allow',
      reason: '',
    });
    expect(
      await unionAuthorizer([says({ decision: 'deny', reason: 'no' }, true), alwaysAllow]).authorize(
        attributes({}),
      ),
    ).toEqual({
      decision: 'deny',
      reason: 'no',
    });
    expect(
      await unionAuthorizer([
        says(none('a')),
        says(none('b'), true),
        says(none('')),
        says({ ...none('c'), error: new Error('e') }),
      ]).authorize(attributes({})),
    ).toEqual({
      decision: 'no-opinion',
      reason: 'a\nb\nc',
      error: new Error('e'),
    });
    expect(unionAuthorizer([alwaysDeny]).authorize(attributes({}))).toMatchObject({ decision: 'no-opinion' });
  });

  it('joins the rules of all authorizers', async () => {
    const part: Authorizer = {
      ...says(none('')),
      rulesFor: () => ({
        resourceRules: [],
        nonResourceRules: [],
        incomplete: true,
        evaluationError: 'half',
      }),
    };
    expect(
      await unionAuthorizer([privilegedGroup, alwaysAllow, part, part]).rulesFor!(user('u'), 'n'),
    ).toEqual({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: true,
      evaluationError: 'half',
    });
    const other: Authorizer = {
      ...part,
      rulesFor: () => ({
        resourceRules: [],
        nonResourceRules: [],
        incomplete: true,
        evaluationError: 'other',
      }),
    };
    const both = await unionAuthorizer([part, other, part]).rulesFor!(user('u'), 'n');
    expect(both.evaluationError).toBe('[half, other]');
  });
});

it('system:masters is allowed everything', () => {
  expect(privilegedGroup.authorize(attributes({ user: user('root', ['system:masters']) }))).toMatchObject({
    decision: 'allow',
  });
  expect(privilegedGroup.authorize(attributes({ user: user('system:masters') }))).toMatchObject({
    decision: 'no-opinion',
  });
});

it('allowed paths are open to all users', () => {
  const open = allowPaths(['/healthz', '/tree/*']);
  const decide = (path: string, isResource = false) =>
    (open.authorize(attributes({ isResource, path })) as AuthorizerResult).decision;
  expect(['/healthz', '/healthz/x', '/tree/a', '/tree'].map((path) => decide(path))).toEqual([
    'allow',
    'no-opinion',
    'allow',
    'no-opinion',
  ]);
  expect(decide('/healthz', true)).toBe('no-opinion');
  expect(() => allowPaths(['/a*b'])).toThrow('only trailing * allowed');
});

describe('forbiddenError', () => {
  it.each<[Parameters<typeof attributes>[0], string, string, object]>([
    [
      { verb: 'list', resource: 'nodes' },
      '',
      'nodes is forbidden: User "nobody" cannot list resource "nodes" in API group "" at the cluster scope',
      { kind: 'nodes' },
    ],
    [
      { subresource: 'log', namespace: 'default', name: 'p' },
      '',
      'pods "p" is forbidden: User "nobody" cannot get resource "pods/log" in API group "" in the namespace "default"',
      { kind: 'pods', name: 'p' },
    ],
    [{ isResource: false, path: '/logs' }, '', 'forbidden: User "nobody" cannot get path "/logs"', {}],
    [
      { group: 'no.such.group', resource: 'things', name: 'x' },
      'why',
      'things.no.such.group "x" is forbidden: User "nobody" cannot get resource "things" in API group "no.such.group" at the cluster scope: why',
      { group: 'no.such.group', kind: 'things', name: 'x' },
    ],
  ])('%j', (requested, reason, message, details) =>
    expect(forbiddenError(attributes(requested), reason).toStatus()).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message,
      details,
    }),
  );
});
