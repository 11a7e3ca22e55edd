import { describe, expect, it } from 'vitest';
import type { PolicyRulesWithSubjects } from '../../src/model/generated/flowcontrol-v1.ts';
import type { UserInfo } from '../../src/request/user.ts';
import { request } from '../filters/context.ts';
import { ANYBODY, EVERY_RESOURCE, flowControl, schema, type TestOptions, user } from './support.ts';

function classified(options: TestOptions, who: UserInfo, method: string, target: string): string {
  const { context } = request(method, target);
  context.user = who;
  return flowControl(options).control.flowOf(context).schema.name;
}

const AUTHENTICATED = 'system:authenticated';

describe('flow schemas', () => {
  it.each([
    [user('root', 'system:masters', AUTHENTICATED), 'GET', '/api/v1/nodes', 'exempt'],
    [user('alice', AUTHENTICATED), 'GET', '/api/v1/nodes', 'global-default'],
    [user('system:anonymous', 'system:unauthenticated'), 'GET', '/livez', 'probes'],
    [user('system:anonymous', 'system:unauthenticated'), 'GET', '/livez/ping', 'probes'],
    [user('system:node:n', 'system:nodes', AUTHENTICATED), 'GET', '/api/v1/nodes', 'system-node-high'],
    [
      user('system:node:n', 'system:nodes', AUTHENTICATED),
      'PUT',
      '/api/v1/nodes/n/status',
      'system-node-high',
    ],
    [user('system:node:n', 'system:nodes', AUTHENTICATED), 'GET', '/api/v1/pods', 'system-nodes'],
    [user('system:kube-scheduler', AUTHENTICATED), 'GET', '/api/v1/nodes', 'kube-scheduler'],
    [
      user('system:kube-scheduler', AUTHENTICATED),
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x',
      'system-leader-election',
    ],
    [
      user('system:serviceaccount:kube-system:x', 'system:serviceaccounts', AUTHENTICATED),
      'GET',
      '/api/v1/nodes',
      'kube-system-service-accounts',
    ],
    [
      user('system:serviceaccount:kube-system-2:x', 'system:serviceaccounts', AUTHENTICATED),
      'GET',
      '/api/v1/nodes',
      'service-accounts',
    ],
    [user('stranger'), 'GET', '/api/v1/nodes', 'catch-all'],
  ])('%o %s %s falls under %s', (who, method, target, expected) => {
    expect(classified({}, who, method, target)).toBe(expected);
  });

  it('match by lower precedence, then by name', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    const given = [schema('b', 5, everything), schema('c', 4, everything), schema('a', 5, everything)];
    expect(classified({ schemas: given }, user('x'), 'GET', '/api/v1/nodes')).toBe('c');
    expect(classified({ schemas: [given[0]!, given[2]!] }, user('x'), 'GET', '/api/v1/nodes')).toBe('a');
  });

  it('are skipped without a priority level', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    expect(
      classified(
        { schemas: [schema('dangling', 1, everything, 'none'), schema('good', 2, everything)] },
        user('x'),
        'GET',
        '/api/v1/nodes',
      ),
    ).toBe('good');
  });

  it('distinguish cluster scope from namespaces', () => {
    const rule = (part: object): TestOptions => ({
      schemas: [schema('s', 1, { subjects: ANYBODY, resourceRules: [{ ...EVERY_RESOURCE[0], ...part }] })],
    });
    expect(classified(rule({ clusterScope: false }), user('x'), 'GET', '/api/v1/pods')).toBe('catch-all');
    expect(classified(rule({ namespaces: ['a'] }), user('x'), 'GET', '/api/v1/namespaces/a/pods')).toBe('s');
    expect(classified(rule({ namespaces: ['a'] }), user('x'), 'GET', '/api/v1/namespaces/b/pods')).toBe(
      'catch-all',
    );
    expect(
      classified(rule({ resources: ['pods'] }), user('x'), 'GET', '/api/v1/namespaces/b/pods/p/log'),
    ).toBe('catch-all');
    expect(
      classified(rule({ resources: ['pods/log'] }), user('x'), 'GET', '/api/v1/namespaces/b/pods/p/log'),
    ).toBe('s');
  });

  it('match paths below a prefix with a star', () => {
    const given = {
      schemas: [
        schema('s', 1, {
          subjects: ANYBODY,
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/tree/*'] }],
        }),
      ],
    };
    expect(classified(given, user('x'), 'GET', '/tree/leaf')).toBe('s');
    expect(classified(given, user('x'), 'GET', '/tree')).toBe('catch-all');
    expect(classified(given, user('x'), 'POST', '/tree/leaf')).toBe('catch-all');
  });

  it('are recompiled after a change', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    const old = schema('old', 2, everything);
    const { control, change } = flowControl({ schemas: [old] });
    const { context } = request('GET', '/api/v1/nodes');
    expect(control.flowOf(context).schema.name).toBe('old');
    change({ schemas: [old, schema('new', 1, everything)] });
    expect(control.flowOf(context).schema.name).toBe('new');
    change({ schemas: [] });
    expect(control.flowOf(context).schema.name).toBe('catch-all');
  });

  it('are found among many by what they look at', () => {
    const schemas = Array.from({ length: 40 }, (_, index) =>
      schema(`s${index}`, index + 2, {
        subjects: ANYBODY,
        resourceRules: [{ ...EVERY_RESOURCE[0], namespaces: [`n${index}`] }],
      }),
    );
    const { control } = flowControl({ schemas });
    for (const index of [3, 39, 3])
      expect(control.flowOf(request('GET', `/api/v1/namespaces/n${index}/pods`).context).schema.name).toBe(
        `s${index}`,
      );
    expect(control.flowOf(request('GET', '/api/v1/namespaces/other/pods').context).schema.name).toBe(
      'catch-all',
    );
  });

  it('divide their requests into flows by user or namespace', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    const flow = (distinguisher: 'ByUser' | 'ByNamespace' | undefined): string => {
      const schemas = [schema('s', 1, everything, 'global-default', distinguisher)];
      const { context } = request('GET', '/api/v1/namespaces/space/pods');
      context.user = user('who');
      return flowControl({ schemas }).control.flowOf(context).distinguisher;
    };
    expect([flow('ByUser'), flow('ByNamespace'), flow(undefined)]).toEqual(['who', 'space', '']);
  });
});
