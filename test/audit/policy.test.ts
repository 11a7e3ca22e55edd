import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../src/audit/policy.ts';
import type { PolicyRule } from '../../src/model/generated/audit-v1.ts';
import { NO_EXTRA } from '../../src/request/user.ts';

type Asked = Parameters<ReturnType<typeof compilePolicy>>[0];

const requested = (more: Partial<Asked> = {}): Asked => ({
  user: { name: 'ivy', uid: '', groups: ['g'], extra: NO_EXTRA },
  verb: 'get',
  isResource: true,
  path: '/api/v1/namespaces/n/pods/p/log',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: 'log',
  namespace: 'n',
  name: 'p',
  ...more,
});
const path = (text: string): Asked =>
  requested({ isResource: false, path: text, resource: '', subresource: '', namespace: '', name: '' });
const matches = (rule: PolicyRule, what = requested()): boolean =>
  compilePolicy({ rules: [{ level: 'Metadata', ...rule }] })(what).level === 'Metadata';
const pods = (...resources: string[]): PolicyRule => ({ resources: [{ group: '', resources }] });

describe('an audit policy', () => {
  it('applies the first matching rule and records nothing without one', () => {
    const policy = compilePolicy({
      rules: [
        { level: 'None', users: ['ivy'], verbs: ['list'] },
        { level: 'Request', users: ['ivy'], omitStages: ['Panic'], omitManagedFields: false },
      ],
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
    });
    expect(policy(requested())).toEqual({
      level: 'Request',
      omitStages: new Set(['RequestReceived', 'Panic']),
      omitManagedFields: false,
    });
    expect(policy(requested({ verb: 'list' })).level).toBe('None');
    expect(policy(requested({ user: undefined })).level).toBe('None');
  });

  it.each<[PolicyRule, boolean]>([
    [{}, true],
    [{ userGroups: ['g'] }, true],
    [{ userGroups: ['h'] }, false],
    [{ verbs: ['list'] }, false],
    [{ namespaces: ['n'] }, true],
    [{ namespaces: [''] }, false],
    [{ nonResourceURLs: ['*'] }, false],
    [pods(), true],
    [pods('pods'), false],
    [pods('pods/log'), true],
    [pods('*'), true],
    [pods('*/log'), true],
    [pods('*/status'), false],
    [pods('pods/*'), true],
    [pods('services/*'), false],
    [{ resources: [{ group: 'apps', resources: ['*'] }] }, false],
    [{ resources: [{ group: '', resources: ['pods/log'], resourceNames: ['p'] }] }, true],
    [{ resources: [{ group: '', resources: ['pods/log'], resourceNames: ['q'] }] }, false],
  ])('rule %j on the log of a pod: %s', (rule, expected) => {
    expect(matches(rule)).toBe(expected);
  });

  it('matches non-resource paths exactly or by prefix', () => {
    expect(matches({ nonResourceURLs: ['/healthz*'] }, path('/healthz/etcd'))).toBe(true);
    expect(matches({ nonResourceURLs: ['/healthz'] }, path('/healthz/etcd'))).toBe(false);
    expect(matches({ nonResourceURLs: ['*'] }, path('/metrics'))).toBe(true);
    expect(matches(pods('*'), path('/metrics'))).toBe(false);
    expect(matches({ namespaces: [''] }, requested({ namespace: '', resource: 'nodes' }))).toBe(true);
  });
});
