import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const NAMESPACE = '/api/v1/namespaces/default';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] });
});
afterAll(() => cluster.stop());

const TYPES: Readonly<Record<string, string>> = {
  PATCH: 'application/merge-patch+json',
  APPLY: 'application/apply-patch+yaml',
};

/** The warnings of a request. */
async function send(method: string, path: string, body?: object): Promise<string[]> {
  const answered = await cluster.fetch(path, {
    method: method === 'APPLY' ? 'PATCH' : method,
    headers: { 'content-type': TYPES[method] ?? 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  await answered.text();
  const header = answered.headers.get('warning') ?? '';
  return [...header.matchAll(/299 - "Validation failed[^"]*: (seen [^"]*)"/g)].map(([, text]) => text!);
}

/** A policy that tells what it sees of each request. */
const spy = (name: string, changes: object = {}, binding: object = {}) =>
  Promise.all([
    send('POST', `${GROUP}/validatingadmissionpolicies`, {
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' },
          ],
          ...changes,
        },
        variables: [
          { name: 'kinds', expression: "[object, oldObject].map(o, o == null ? 'none' : string(o.kind))" },
        ],
        validations: [
          {
            expression: 'false',
            messageExpression:
              "'seen ' + request.operation + ' ' + request.kind.kind + ' ' + request.resource.resource + '/' + request.?subResource.orValue('') + ' ' + request.?name.orValue('') + ' ' + variables.kinds.join(',') + (namespaceObject == null ? '' : ' in ' + namespaceObject.metadata.name)",
          },
        ],
      },
    }),
    send('POST', `${GROUP}/validatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Warn'], ...binding },
    }),
  ]);

test('a policy sees each operation on each kind of resource', async () => {
  await spy('all');
  const config = { metadata: { name: 'c' } };
  while ((await send('POST', `${NAMESPACE}/configmaps?dryRun=All`, config)).length === 0)
    await new Promise((resolve) => setImmediate(resolve));
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'i' }] } };
  const template = { metadata: { labels: { a: 'b' } }, spec: pod.spec };
  const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const here = ' in default';
  const expected: [string, string, object | undefined, string[]][] = [
    ['POST', `${NAMESPACE}/configmaps`, config, [`CREATE ConfigMap configmaps/ c ConfigMap,none${here}`]],
    [
      'PATCH',
      `${NAMESPACE}/configmaps/c`,
      { data: { a: 'b' } },
      [`UPDATE ConfigMap configmaps/ c ConfigMap,ConfigMap${here}`],
    ],
    [
      'APPLY',
      `${NAMESPACE}/configmaps/new?fieldManager=m&dryRun=All`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } },
      [`CREATE ConfigMap configmaps/ new ConfigMap,none${here}`],
    ],
    ['GET', `${NAMESPACE}/configmaps/c`, undefined, []],
    [
      'DELETE',
      `${NAMESPACE}/configmaps/c?dryRun=All`,
      undefined,
      [`DELETE ConfigMap configmaps/ c none,ConfigMap${here}`],
    ],
    ['DELETE', `${NAMESPACE}/configmaps`, undefined, [`DELETE ConfigMap configmaps/  none,ConfigMap${here}`]],
    ['DELETE', `${NAMESPACE}/configmaps`, undefined, []],
    ['POST', deployments, deployment, [`CREATE Deployment deployments/ d Deployment,none${here}`]],
    [
      'PATCH',
      `${deployments}/d/scale`,
      { spec: { replicas: 2 } },
      [`UPDATE Scale deployments/scale d Scale,Scale${here}`],
    ],
    [
      'PATCH',
      `${deployments}/d/status`,
      { status: { replicas: 2 } },
      [`UPDATE Deployment deployments/status d Deployment,Deployment${here}`],
    ],
    ['POST', `${NAMESPACE}/pods`, pod, [`CREATE Pod pods/ p Pod,none${here}`]],
    [
      'POST',
      `${NAMESPACE}/pods/p/exec?command=x`,
      undefined,
      [`CONNECT PodExecOptions pods/exec p PodExecOptions,none${here}`],
    ],
    [
      'POST',
      `${NAMESPACE}/pods/p/eviction?dryRun=All`,
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
      [`CREATE Eviction pods/eviction p Eviction,none${here}`],
    ],
    [
      'POST',
      `${NAMESPACE}/pods/p/binding?dryRun=All`,
      { metadata: { name: 'p' }, target: { name: 'n' } },
      [`CREATE Binding pods/binding p Binding,none${here}`],
    ],
    [
      'POST',
      '/api/v1/namespaces',
      { metadata: { name: 'other' } },
      ['CREATE Namespace namespaces/ other Namespace,none'],
    ],
    [
      'PATCH',
      '/api/v1/namespaces/other',
      { metadata: { labels: { a: 'b' } } },
      ['UPDATE Namespace namespaces/ other Namespace,Namespace'],
    ],
    [
      'DELETE',
      '/api/v1/namespaces/other?dryRun=All',
      undefined,
      ['DELETE Namespace namespaces/ other none,Namespace'],
    ],
    [
      'POST',
      '/apis/storage.k8s.io/v1/storageclasses?dryRun=All',
      { metadata: { name: 's' }, provisioner: 'x' },
      ['CREATE StorageClass storageclasses/ s StorageClass,none'],
    ],
    [
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
      [],
    ],
    ['PATCH', `${GROUP}/validatingadmissionpolicies/all`, { metadata: { labels: { a: 'b' } } }, []],
    [
      'POST',
      `${GROUP}/validatingwebhookconfigurations?dryRun=All`,
      { metadata: { name: 'w' } },
      [
        'CREATE ValidatingWebhookConfiguration validatingwebhookconfigurations/ w ValidatingWebhookConfiguration,none',
      ],
    ],
  ];
  for (const [method, path, body, seen] of expected)
    expect([method, path, await send(method, path, body)]).toEqual([
      method,
      path,
      seen.map((text) => `seen ${text}`),
    ]);
  await send('DELETE', `${GROUP}/validatingadmissionpolicybindings/all`);
  while ((await send('POST', `${NAMESPACE}/configmaps?dryRun=All`, config)).length > 0)
    await new Promise((resolve) => setImmediate(resolve));
});

test('rules, exclusions, names and selectors of a policy and its binding select together', async () => {
  const rule = (changes: object) => ({
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['*'],
    resources: ['configmaps'],
    ...changes,
  });
  const isSeen = async (name: string, labels: object = {}, kind = 'configmaps'): Promise<boolean> =>
    (await send('POST', `${NAMESPACE}/${kind}?dryRun=All`, { metadata: { name, labels } })).length > 0;
  await spy(
    'narrow',
    {
      resourceRules: [
        rule({ operations: ['CREATE'] }),
        rule({ resources: ['secrets'], resourceNames: ['named'] }),
      ],
      excludeResourceRules: [rule({ resourceNames: ['excluded'] })],
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['default'] }],
      },
      objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
    },
    {
      matchResources: {
        resourceRules: [rule({ resources: ['*'], scope: 'Namespaced' })],
        excludeResourceRules: [rule({ resourceNames: ['excluded-too'] })],
        objectSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['red'] }] },
      },
    },
  );
  while (!(await isSeen('plain'))) await new Promise((resolve) => setImmediate(resolve));
  expect({
    excluded: await isSeen('excluded'),
    'excluded by the binding': await isSeen('excluded-too'),
    'skipped by a label': await isSeen('a', { skip: 'yes' }),
    'skipped by the binding': await isSeen('a', { team: 'red' }),
    'another team': await isSeen('a', { team: 'blue' }),
    'a secret': await isSeen('a', {}, 'secrets'),
    'the named secret': await isSeen('named', {}, 'secrets'),
    update: (await send('PATCH', `${NAMESPACE}/configmaps/absent`, {})).length > 0,
    'another namespace':
      (
        await send('POST', '/api/v1/namespaces/kube-system/configmaps?dryRun=All', {
          metadata: { name: 'a' },
        })
      ).length > 0,
  }).toEqual({
    excluded: false,
    'excluded by the binding': false,
    'skipped by a label': false,
    'skipped by the binding': false,
    'another team': true,
    'a secret': false,
    'the named secret': true,
    update: false,
    'another namespace': false,
  });
});
