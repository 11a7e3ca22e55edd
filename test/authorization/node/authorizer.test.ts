import { describe, expect, it } from 'vitest';
import { createNodeAuthorizer } from '../../../src/authorization/node/authorizer.ts';
import { NodeRelations } from '../../../src/authorization/node/relations.ts';
import { nodeRules } from '../../../src/bootstrap/node-roles.ts';
import type { PersistentVolume, Pod } from '../../../src/model/generated/core-v1.ts';
import type { Attributes, AuthorizerResult } from '../../../src/request/attributes.ts';
import { user } from '../../authentication/fixtures.ts';
import { RULES } from '../../support/rule-context.ts';
import { attributes } from '../fixtures.ts';

const node = (name: string) => user(`system:node:${name}`, ['system:nodes', 'system:authenticated']);
const reference = (name: string) => ({ name });

function pod(name: string, nodeName: string, spec: object = {}, more: object = {}): Pod {
  return {
    metadata: { namespace: 'ns', name, uid: `${name}-uid` },
    spec: { nodeName, containers: [], ...spec },
    ...more,
  } as Pod;
}

const everything = pod(
  'p',
  'one',
  {
    serviceAccountName: 'account',
    imagePullSecrets: [reference('pull')],
    initContainers: [{ envFrom: [{ secretRef: reference('init') }] }],
    containers: [
      {
        env: [
          { valueFrom: { secretKeyRef: reference('env') } },
          { valueFrom: { configMapKeyRef: reference('env') } },
        ],
        envFrom: [{ configMapRef: reference('from') }],
      },
    ],
    ephemeralContainers: [{ envFrom: [{ secretRef: reference('debug') }] }],
    volumes: [
      { name: 'a', secret: { secretName: 'mounted' } },
      { name: 'b', configMap: reference('mounted') },
      {
        name: 'c',
        projected: { sources: [{ secret: reference('projected') }, { configMap: reference('projected') }] },
      },
      { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'e', ephemeral: {} },
      { name: 'f', csi: { nodePublishSecretRef: reference('csi') } },
      { name: 'g', rbd: { secretRef: reference('rbd') } },
      { name: 'h', azureFile: { secretName: 'azure' } },
    ],
    resourceClaims: [
      { name: 'x', resourceClaimName: 'given' },
      { name: 'y', resourceClaimTemplateName: 't' },
    ],
  },
  { status: { resourceClaimStatuses: [{ name: 'y', resourceClaimName: 'made' }] } },
);
const volume = {
  metadata: { name: 'pv' },
  spec: {
    claimRef: { namespace: 'ns', name: 'claim' },
    csi: {
      nodeStageSecretRef: { name: 'stage', namespace: 'kube' },
      controllerPublishSecretRef: { name: 'control', namespace: 'kube' },
    },
    azureFile: { secretName: 'file' },
  },
} as PersistentVolume;

function filled(): NodeRelations {
  const relations = new NodeRelations();
  relations.setPod(everything);
  relations.setPod(pod('q', 'two', { volumes: [{ name: 'v', secret: { secretName: 'other' } }] }));
  relations.setVolume(volume);
  relations.setOwned('volumeattachment', 'va', 'one');
  relations.setOwned('resourceslice', 'slice', 'one');
  return relations;
}

describe('NodeRelations', () => {
  it.each([
    ['secret', ['pull', 'init', 'env', 'debug', 'mounted', 'projected', 'csi', 'rbd', 'azure', 'file']],
    ['configmap', ['env', 'from', 'mounted', 'projected']],
    ['pvc', ['claim', 'p-e']],
    ['serviceaccount', ['account']],
    ['resourceclaim', ['given', 'made']],
    ['pod', ['p']],
  ] as const)('relates every %s of a pod to its node', (kind, names) => {
    const relations = filled();
    for (const name of names) {
      expect(relations.belongs('one', kind, 'ns', name), name).toBe(true);
      expect(relations.belongs('two', kind, 'ns', name), name).toBe(false);
      expect(relations.belongs('one', kind, 'elsewhere', name), name).toBe(false);
    }
    relations.deletePod('ns', 'p');
    for (const name of names) expect(relations.belongs('one', kind, 'ns', name), name).toBe(false);
  });

  it('follows claims to volumes and their secrets', () => {
    const relations = filled();
    expect(relations.belongs('one', 'pv', '', 'pv')).toBe(true);
    expect(relations.belongs('one', 'secret', 'kube', 'stage')).toBe(true);
    expect(relations.belongs('one', 'secret', 'kube', 'control')).toBe(false);
    expect(relations.belongs('two', 'secret', 'kube', 'stage')).toBe(false);
    relations.setVolume({ ...volume, spec: {} } as PersistentVolume);
    expect(relations.belongs('one', 'pv', '', 'pv')).toBe(false);
    expect(relations.belongs('one', 'secret', 'kube', 'stage')).toBe(false);
  });

  it('keeps a relation until its last pod is deleted, follows the node and ignores mirror pods', () => {
    const relations = new NodeRelations();
    const spec = { volumes: [{ name: 'v', secret: { secretName: 's' } }] };
    relations.setPod(pod('a', 'one', spec));
    relations.setPod(pod('b', 'one', spec));
    relations.deletePod('ns', 'a');
    expect(relations.belongs('one', 'secret', 'ns', 's')).toBe(true);
    relations.setPod(pod('b', 'two', spec));
    expect([
      relations.belongs('one', 'secret', 'ns', 's'),
      relations.belongs('two', 'secret', 'ns', 's'),
    ]).toEqual([false, true]);
    relations.setPod({
      ...pod('m', 'one', spec),
      metadata: { namespace: 'ns', name: 'm', uid: 'm', annotations: { 'kubernetes.io/config.mirror': 'x' } },
    });
    expect(relations.belongs('one', 'secret', 'ns', 's')).toBe(false);
    expect(relations.belongs('one', 'pod', 'ns', 'm')).toBe(true);
  });
});

describe('the Node authorizer', () => {
  const authorizer = (selectors = true) =>
    createNodeAuthorizer({
      relations: filled(),
      rules: nodeRules({ ...RULES, isOn: (gate) => gate === 'DynamicResourceAllocation' }),
      selectors,
    });
  const decide = (name: string, request: Partial<Attributes>, selectors?: boolean) =>
    authorizer(selectors).authorize(
      attributes({ user: node(name), namespace: 'ns', ...request }),
    ) as AuthorizerResult;
  const onNode = (name: string) => ({
    fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: [name] }] },
  });

  it.each<[string, Partial<Attributes>, 'allow' | string]>([
    ['its secret', { resource: 'secrets', name: 'env' }, 'allow'],
    ['a watch of its secret', { resource: 'secrets', name: 'env', verb: 'watch' }, 'allow'],
    [
      "another's secret",
      { resource: 'secrets', name: 'other' },
      "no relationship found between node 'one' and this object",
    ],
    ['all secrets', { resource: 'secrets', verb: 'list' }, 'No Object name found'],
    [
      'secrets everywhere',
      { resource: 'secrets', verb: 'list', namespace: '' },
      'can only read namespaced object of this type',
    ],
    [
      'a change of its secret',
      { resource: 'secrets', name: 'env', verb: 'update' },
      'can only read resources of this type',
    ],
    ['its claim', { resource: 'persistentvolumeclaims', name: 'claim' }, 'allow'],
    [
      "its claim's status",
      { resource: 'persistentvolumeclaims', name: 'claim', subresource: 'status', verb: 'patch' },
      'allow',
    ],
    [
      'all claims',
      { resource: 'persistentvolumeclaims', verb: 'list' },
      'can only get individual resources of this type',
    ],
    ['its volume', { resource: 'persistentvolumes', name: 'pv', namespace: '' }, 'allow'],
    [
      'its attachment',
      { group: 'storage.k8s.io', resource: 'volumeattachments', name: 'va', namespace: '' },
      'allow',
    ],
    ['its device claim', { group: 'resource.k8s.io', resource: 'resourceclaims', name: 'made' }, 'allow'],
    [
      'its slice',
      { group: 'resource.k8s.io', resource: 'resourceslices', name: 'slice', namespace: '', verb: 'delete' },
      'allow',
    ],
    [
      'its slices',
      { group: 'resource.k8s.io', resource: 'resourceslices', namespace: '', verb: 'list', ...onNode('one') },
      'allow',
    ],
    [
      'all slices',
      { group: 'resource.k8s.io', resource: 'resourceslices', namespace: '', verb: 'list' },
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    [
      "a token of its pod's account",
      { resource: 'serviceaccounts', subresource: 'token', name: 'account', verb: 'create' },
      'allow',
    ],
    [
      'a token of another account',
      { resource: 'serviceaccounts', subresource: 'token', name: 'default', verb: 'create' },
      "no relationship found between node 'one' and this object",
    ],
    [
      'an account',
      { resource: 'serviceaccounts', name: 'account' },
      'can only create tokens for individual service accounts',
    ],
    [
      'its lease',
      {
        group: 'coordination.k8s.io',
        resource: 'leases',
        namespace: 'kube-node-lease',
        name: 'one',
        verb: 'update',
      },
      'allow',
    ],
    [
      "another's lease",
      { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'two' },
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'a lease elsewhere',
      { group: 'coordination.k8s.io', resource: 'leases', name: 'one' },
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    ['its CSINode', { group: 'storage.k8s.io', resource: 'csinodes', namespace: '', name: 'one' }, 'allow'],
    [
      "another's CSINode",
      { group: 'storage.k8s.io', resource: 'csinodes', namespace: '', name: 'two' },
      'can only access CSINode with the same name as the requesting node',
    ],
    ['itself', { resource: 'nodes', name: 'one', namespace: '' }, 'allow'],
    [
      'another node',
      { resource: 'nodes', name: 'two', namespace: '' },
      "node 'one' cannot read 'two', only its own Node object",
    ],
    [
      'all nodes',
      { resource: 'nodes', verb: 'list', namespace: '' },
      "node 'one' cannot read all nodes, only its own Node object",
    ],
    [
      'its status',
      { resource: 'nodes', subresource: 'status', name: 'one', verb: 'patch', namespace: '' },
      'allow',
    ],
    ['its deletion', { resource: 'nodes', name: 'one', verb: 'delete', namespace: '' }, ''],
    ['its pod', { resource: 'pods', name: 'p' }, 'allow'],
    [
      "another's pod",
      { resource: 'pods', name: 'q' },
      "no relationship found between node 'one' and this object",
    ],
    ['its pods', { resource: 'pods', verb: 'watch', namespace: '', ...onNode('one') }, 'allow'],
    [
      "another's pods",
      { resource: 'pods', verb: 'watch', namespace: '', ...onNode('two') },
      'can only list/watch pods with spec.nodeName field selector',
    ],
    ['services', { resource: 'services', verb: 'list', namespace: '' }, 'allow'],
    ['events', { resource: 'events', verb: 'create' }, 'allow'],
    ['deployments', { group: 'apps', resource: 'deployments', verb: 'list' }, ''],
  ])('%s', (_title, request, expected) => {
    expect(decide('one', request)).toEqual(
      expected === 'allow' ? { decision: 'allow', reason: '' } : { decision: 'no-opinion', reason: expected },
    );
  });

  it('allows all nodes and pods without selectors', () => {
    expect(decide('one', { resource: 'pods', verb: 'list', namespace: '' }, false).decision).toBe('allow');
    expect(decide('one', { resource: 'nodes', verb: 'list', namespace: '' }, false).decision).toBe('allow');
  });

  it('has no opinion on other users and on nodes without a name', () => {
    expect(
      authorizer().authorize(attributes({ user: user('system:node:one'), resource: 'services' })),
    ).toEqual({ decision: 'no-opinion', reason: '' });
    expect(decide('', { resource: 'services' }).reason).toBe('unknown node for user "system:node:"');
  });
});
