import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAbacAuthorizer } from '../../../src/authorization/abac/authorizer.ts';
import { readPolicyFile } from '../../../src/authorization/abac/policy-file.ts';
import type { AuthorizerResult, ResolvedRules } from '../../../src/request/attributes.ts';
import { user } from '../../authentication/fixtures.ts';
import { attributes } from '../fixtures.ts';

const policy = (spec: object) =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const authorizer = (...lines: string[]) =>
  createAbacAuthorizer(readPolicyFile(lines.join('\n'), 'p').policies);
const decides = (lines: string[], changes: Parameters<typeof attributes>[0]) =>
  (authorizer(...lines).authorize(attributes(changes)) as AuthorizerResult).decision;

describe('readPolicyFile', () => {
  it('reads one policy per line and skips comments and empty lines', () => {
    const { policies, warnings } = readPolicyFile(
      `# who\n\n${policy({ user: 'a', resource: 'pods' })}\n  \n`,
      'p',
    );
    expect(policies).toEqual([
      {
        user: 'a',
        group: '',
        readonly: false,
        apiGroup: '',
        resource: 'pods',
        namespace: '',
        nonResourcePath: '',
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('reads unversioned lines with a warning', () => {
    const { policies, warnings } = readPolicyFile(
      '{"user":"a"}\n{"resource":"pods","readonly":true}\n{"group":"*","namespace":"n"}',
      'p',
    );
    expect(policies).toEqual([
      {
        user: 'a',
        group: '',
        readonly: false,
        apiGroup: '*',
        resource: '*',
        namespace: '*',
        nonResourcePath: '*',
      },
      {
        user: '',
        group: 'system:authenticated',
        readonly: true,
        apiGroup: '*',
        resource: 'pods',
        namespace: '*',
        nonResourcePath: '',
      },
      {
        user: '',
        group: 'system:authenticated',
        readonly: false,
        apiGroup: '*',
        resource: '*',
        namespace: 'n',
        nonResourcePath: '',
      },
    ]);
    expect(warnings).toEqual([expect.stringContaining('Policy file p contained unversioned rules')]);
  });

  it.each([
    'nonsense',
    '[]',
    '{"apiVersion":"v9","kind":"Policy"}',
    policy({ user: 1 }),
    policy({ readonly: 'yes' }),
    '{"apiVersion":"v9"}',
  ])('rejects %s with its line', (line) => {
    expect(() => readPolicyFile(`\n${line}`, 'the-file')).toThrow(
      /^error reading policy file the-file, line 2: /,
    );
  });

  it('throws only its own error for arbitrary text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readPolicyFile(text, 'p');
        } catch (error) {
          expect((error as Error).message).toMatch(/^error reading policy file p, line \d+: /);
        }
      }),
    );
  });
});

describe('attribute-based access control', () => {
  const all = { apiGroup: '*', resource: '*', namespace: '*' };
  it.each<[string, object, Parameters<typeof attributes>[0], 'allow' | 'no-opinion']>([
    ['a user', { user: 'a', ...all }, { user: user('a') }, 'allow'],
    ['another user', { user: 'a', ...all }, { user: user('b') }, 'no-opinion'],
    ['a group', { group: 'g', ...all }, { user: user('b', ['g']) }, 'allow'],
    ['a user of a group', { user: 'a', group: 'g', ...all }, { user: user('a', ['h']) }, 'no-opinion'],
    ['a policy without user and group', all, { user: user('a') }, 'no-opinion'],
    ['any authenticated user', { user: '*', ...all }, { user: user('a', ['system:authenticated']) }, 'allow'],
    [
      'any authenticated user, not anonymous',
      { user: '*', ...all },
      { user: user('a', ['system:unauthenticated']) },
      'no-opinion',
    ],
    [
      'the anonymous',
      { group: 'system:unauthenticated', ...all },
      { user: user('system:anonymous', ['system:unauthenticated']) },
      'allow',
    ],
    ['a reader reading', { user: 'a', readonly: true, ...all }, { user: user('a'), verb: 'watch' }, 'allow'],
    [
      'a reader writing',
      { user: 'a', readonly: true, ...all },
      { user: user('a'), verb: 'delete' },
      'no-opinion',
    ],
    [
      'a resource',
      { user: 'a', resource: 'pods', namespace: 'n' },
      { user: user('a'), namespace: 'n' },
      'allow',
    ],
    [
      'another namespace',
      { user: 'a', resource: 'pods', namespace: 'n' },
      { user: user('a'), namespace: 'm' },
      'no-opinion',
    ],
    [
      'another group of APIs',
      { user: 'a', resource: 'pods', namespace: 'n' },
      { user: user('a'), namespace: 'n', group: 'apps' },
      'no-opinion',
    ],
    [
      'a path',
      { user: 'a', nonResourcePath: '/x' },
      { user: user('a'), isResource: false, path: '/x' },
      'allow',
    ],
    [
      'a tree of paths',
      { user: 'a', nonResourcePath: '/x/*' },
      { user: user('a'), isResource: false, path: '/x/y' },
      'allow',
    ],
    [
      'another path',
      { user: 'a', nonResourcePath: '/x/*' },
      { user: user('a'), isResource: false, path: '/x' },
      'no-opinion',
    ],
    [
      'a path for resources',
      { user: 'a', ...all },
      { user: user('a'), isResource: false, path: '/x' },
      'no-opinion',
    ],
  ])('%s', (_title, spec, changes, expected) => {
    expect(decides([policy(spec)], changes)).toBe(expected);
  });

  it('returns the reason of a denial and lists rules', () => {
    const made = authorizer(
      policy({ user: 'a', resource: 'pods', namespace: '*', readonly: true }),
      policy({ user: 'a', namespace: '*', nonResourcePath: '/x' }),
    );
    expect(made.authorize(attributes({}))).toEqual({ decision: 'no-opinion', reason: 'No policy matched.' });
    expect(made.rulesFor!(user('a'), 'n') as ResolvedRules).toEqual({
      resourceRules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/x'] }],
      incomplete: false,
    });
  });
});
