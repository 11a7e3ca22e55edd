import { describe, expect, it } from 'vitest';
import { createClassifier, type FlowControlLister, priorityFilter } from '../../src/filters/priority.ts';
import type {
  FlowSchema,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
} from '../../src/model/generated/flowcontrol-v1.ts';
import { bootstrapFlowSchemas, bootstrapPriorityLevels } from '../../src/registry/bootstrap/flow-control.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';
import { request } from './context.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: NO_EXTRA });
const withUid = <T extends { metadata?: { name?: string; uid?: string } }>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: `uid-of-${object.metadata?.name}` },
});
const schemas = bootstrapFlowSchemas().map((one) => withUid(one as FlowSchema));
const levels = bootstrapPriorityLevels().map((one) => withUid(one as PriorityLevelConfiguration));
const source = (
  flowSchemas: FlowSchema[] = schemas,
  priorityLevels: PriorityLevelConfiguration[] = levels,
): FlowControlLister => ({
  generation: 1,
  flowSchemas: () => flowSchemas,
  priorityLevels: () => priorityLevels,
});

function classified(
  from: FlowControlLister,
  who: UserInfo,
  method: string,
  target: string,
): string | undefined {
  const { context } = request(method, target);
  context.user = who;
  return createClassifier(from)(context)?.schema.metadata?.name;
}

const AUTHENTICATED = 'system:authenticated';
const schema = (
  name: string,
  matchingPrecedence: number,
  rule: PolicyRulesWithSubjects,
  level = 'exempt',
): FlowSchema => ({
  metadata: { name },
  spec: { matchingPrecedence, priorityLevelConfiguration: { name: level }, rules: [rule] },
});
const EVERY_RESOURCE = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
];
const ANYBODY = [{ kind: 'Group', group: { name: '*' } }];

describe('flow schemas', () => {
  it.each([
    [user('root', 'system:masters', AUTHENTICATED), 'GET', '/api/v1/nodes', 'exempt'],
    [user('alice', AUTHENTICATED), 'GET', '/api/v1/nodes', 'global-default'],
    [user('system:anonymous', 'system:unauthenticated'), 'GET', '/livez', 'probes'],
    [user('system:anonymous', 'system:unauthenticated'), 'GET', '/livez/ping', 'global-default'],
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
    [user('stranger'), 'GET', '/api/v1/nodes', undefined],
  ])('%o %s %s falls under %s', (who, method, target, expected) => {
    expect(classified(source(), who, method, target)).toBe(expected);
  });

  it('match by lower precedence, then by name', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    const given = [schema('b', 5, everything), schema('c', 4, everything), schema('a', 5, everything)];
    expect(classified(source(given), user('x'), 'GET', '/api/v1/nodes')).toBe('c');
    expect(classified(source([given[0]!, given[2]!]), user('x'), 'GET', '/api/v1/nodes')).toBe('a');
  });

  it('are skipped without a priority level', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    expect(
      classified(
        source([schema('dangling', 1, everything, 'none'), schema('good', 2, everything)]),
        user('x'),
        'GET',
        '/api/v1/nodes',
      ),
    ).toBe('good');
  });

  it('distinguish cluster scope from namespaces', () => {
    const rule = (part: object): FlowControlLister =>
      source([schema('s', 1, { subjects: ANYBODY, resourceRules: [{ ...EVERY_RESOURCE[0], ...part }] })]);
    expect(classified(rule({ clusterScope: false }), user('x'), 'GET', '/api/v1/pods')).toBeUndefined();
    expect(classified(rule({ namespaces: ['a'] }), user('x'), 'GET', '/api/v1/namespaces/a/pods')).toBe('s');
    expect(
      classified(rule({ namespaces: ['a'] }), user('x'), 'GET', '/api/v1/namespaces/b/pods'),
    ).toBeUndefined();
    expect(
      classified(rule({ resources: ['pods'] }), user('x'), 'GET', '/api/v1/namespaces/b/pods/p/log'),
    ).toBeUndefined();
    expect(
      classified(rule({ resources: ['pods/log'] }), user('x'), 'GET', '/api/v1/namespaces/b/pods/p/log'),
    ).toBe('s');
  });

  it('match paths below a prefix with a star', () => {
    const given = source([
      schema('s', 1, {
        subjects: ANYBODY,
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/tree/*'] }],
      }),
    ]);
    expect(classified(given, user('x'), 'GET', '/tree/leaf')).toBe('s');
    expect(classified(given, user('x'), 'GET', '/tree')).toBeUndefined();
    expect(classified(given, user('x'), 'POST', '/tree/leaf')).toBeUndefined();
  });

  it('are recompiled after a change', () => {
    const everything: PolicyRulesWithSubjects = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
    let current = [schema('old', 2, everything)];
    let generation = 1;
    const classify = createClassifier({
      get generation() {
        return generation;
      },
      flowSchemas: () => current,
      priorityLevels: () => levels,
    });
    const { context } = request('GET', '/api/v1/nodes');
    expect(classify(context)?.schema.metadata?.name).toBe('old');
    current = [...current, schema('new', 1, everything)];
    generation += 1;
    expect(classify(context)?.schema.metadata?.name).toBe('new');
  });

  it('are reported in the response headers', async () => {
    const seen: string[] = [];
    const filter = priorityFilter(source(), ({ schema: { metadata } }) => seen.push(metadata?.name ?? ''));
    const { context, response } = request('GET', '/healthz');
    context.user = user('system:anonymous', 'system:unauthenticated');
    await filter(context, ({ exchange }) => exchange.respond(200, 'text/plain', 'ok'));
    expect((await response).headers).toMatchObject({
      'x-kubernetes-pf-flowschema-uid': 'uid-of-probes',
      'x-kubernetes-pf-prioritylevel-uid': 'uid-of-exempt',
    });
    expect(seen).toEqual(['probes']);
  });
});
