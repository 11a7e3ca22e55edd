import { describe, expect, it } from 'vitest';
import { nodeRestriction } from '../../../src/admission/plugins/node-restriction.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import type { AdmissionRequest } from '../../../src/request/admission.ts';
import type { ApiError } from '../../../src/status/index.ts';
import { user } from '../../authentication/fixtures.ts';
import { admissionRequest, admitted } from '../fixtures.ts';

const NODE = user('system:node:one', ['system:nodes']);
const bound = (node: string): KubernetesObject => ({
  metadata: { name: 'p', uid: 'pod-uid' },
  spec: { nodeName: node },
});
const plugin = nodeRestriction({
  pod: (_namespace, name) => (name === 'p' ? bound('one') : name === 'q' ? bound('two') : undefined),
  node: (name) => (name === 'one' ? { metadata: { name, uid: 'node-uid' } } : undefined),
});

async function fault(
  resource: string,
  object: KubernetesObject | undefined,
  changes: Partial<AdmissionRequest> & { group?: string } = {},
): Promise<string | undefined> {
  const { group = '', ...rest } = changes;
  try {
    await admitted(
      plugin,
      admissionRequest(resource, object, {
        user: NODE,
        resource: { group, version: 'v1', resource },
        ...rest,
      }),
    );
    return undefined;
  } catch (error) {
    return (error as ApiError).message;
  }
}

const mirror = (metadata: object = {}, spec: object = {}): KubernetesObject => ({
  metadata: {
    name: 'm',
    annotations: { 'kubernetes.io/config.mirror': 'x' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'one', uid: 'node-uid', controller: true }],
    ...metadata,
  },
  spec: { nodeName: 'one', containers: [], ...spec },
});

describe('NodeRestriction', () => {
  it('ignores other users', async () => {
    expect(await fault('pods', mirror({ annotations: {} }), { user: user('u') })).toBeUndefined();
    expect(await fault('services', { metadata: { name: 's' } })).toBeUndefined();
    expect(await fault('pods', mirror(), { user: user('system:node:', ['system:nodes']) })).toContain(
      'could not determine node from user "system:node:"',
    );
  });

  it('keeps nodes from naming a source of their configuration', async () => {
    const node = (spec: object): KubernetesObject => ({ metadata: { name: 'one' }, spec });
    const update = (spec: object, old: object, subresource = '') =>
      fault('nodes', node(spec), { operation: 'UPDATE', name: 'one', subresource, oldObject: node(old) });
    const source = { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } };
    const refused =
      'nodes "one" is forbidden: node "one" is not allowed to update configSource to a new non-nil configSource';
    expect(await update({ configSource: {} }, {})).toBe(refused);
    expect(await update({ configSource: source }, {}, 'status')).toBe(refused);
    expect(await update({ configSource: source }, { configSource: {} })).toBe(refused);
    expect(await update({ configSource: source }, { configSource: source })).toBeUndefined();
    expect(await update({}, { configSource: source })).toBeUndefined();
  });

  const owner = (change: object) => ({
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Node', name: 'one', uid: 'node-uid', controller: true, ...change },
    ],
  });
  it.each<[string, KubernetesObject, string | undefined]>([
    ['a mirror pod', mirror(), undefined],
    ['an ordinary pod', mirror({ annotations: {} }), 'can only create mirror pods'],
    [
      'a pod elsewhere',
      mirror({}, { nodeName: 'two' }),
      'can only create pods with spec.nodeName set to itself',
    ],
    [
      'a pod without owner',
      mirror({ ownerReferences: [] }),
      'can only create pods with an owner reference set to itself',
    ],
    [
      'a pod of another node',
      mirror(owner({ name: 'two' })),
      'can only create pods with an owner reference set to itself',
    ],
    ['a pod of another uid', mirror(owner({ uid: 'x' })), 'node one UID mismatch: expected x got node-uid'],
    ['a pod without controller', mirror(owner({ controller: false })), 'with a controller owner reference'],
    ['a pod that blocks', mirror(owner({ blockOwnerDeletion: true })), 'must not set blockOwnerDeletion'],
    ['a pod with an account', mirror({}, { serviceAccountName: 'a' }), 'reference a service account'],
    [
      'a pod with a secret',
      mirror({}, { volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
      'reference secrets',
    ],
    [
      'a pod with a config map',
      mirror({}, { containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'c' } }] }] }),
      'reference configmaps',
    ],
    [
      'a pod with a claim',
      mirror({}, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      'reference persistentvolumeclaims',
    ],
    ['a pod with devices', mirror({}, { resourceClaims: [{ name: 'r' }] }), 'reference resourceclaims'],
  ])('validates creation of %s', async (_title, object, expected) => {
    const message = await fault('pods', object);
    if (expected === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(expected);
  });

  it('restricts access to pods of other nodes', async () => {
    const status = (node: string, labels: object = {}) =>
      fault(
        'pods',
        { ...bound(node), metadata: { name: 'p', labels: { b: '1', a: '2', ...labels } } },
        {
          operation: 'UPDATE',
          subresource: 'status',
          oldObject: { ...bound(node), metadata: { name: 'p', labels: { a: '2', b: '1' } } },
        },
      );
    expect(await status('one')).toBeUndefined();
    expect(await status('two')).toContain(
      'can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(await status('one', { c: '3' })).toContain('cannot update labels through pod status');
    expect(
      await fault('pods', undefined, { operation: 'DELETE', oldObject: bound('two'), name: 'p' }),
    ).toContain('can only delete pods');
    expect(
      await fault('pods', undefined, { operation: 'DELETE', oldObject: bound('one'), name: 'p' }),
    ).toBeUndefined();
    expect(await fault('pods', { metadata: { name: 'q' } }, { subresource: 'eviction', name: 'q' })).toBe(
      'pods "q" is forbidden: node one can only evict pods with spec.nodeName set to itself',
    );
    expect(
      await fault('pods', { metadata: { name: 'gone' } }, { subresource: 'eviction', name: 'gone' }),
    ).toBe('pod "gone" not found');
    expect(
      await fault('pods', { metadata: { name: 'p' } }, { subresource: 'eviction', name: 'p' }),
    ).toBeUndefined();
    expect(await fault('pods', bound('one'), { operation: 'UPDATE', oldObject: bound('one') })).toContain(
      'can only create and delete mirror pods',
    );
    expect(await fault('pods', bound('one'), { subresource: 'binding' })).toContain(
      "only 'status' and 'eviction' are allowed",
    );
  });

  const node = (name: string, labels: Record<string, string> = {}, spec: object = {}): KubernetesObject => ({
    metadata: { name, labels },
    spec,
  });
  it.each<[string, KubernetesObject, KubernetesObject | undefined, string | undefined]>([
    [
      'its creation',
      node('one', { 'kubernetes.io/hostname': 'h', 'kubelet.kubernetes.io/x': 'y', 'example.com/z': 'z' }),
      undefined,
      undefined,
    ],
    ['creation of another', node('two'), undefined, 'is not allowed to modify node "two"'],
    [
      'labels that are not its own',
      node('one', { 'node-restriction.kubernetes.io/x': '', 'node-role.kubernetes.io/master': '' }),
      undefined,
      'is not allowed to set the following labels: node-restriction.kubernetes.io/x, node-role.kubernetes.io/master',
    ],
    ['its change', node('one', { a: 'b' }), node('one'), undefined],
    [
      'a label removed',
      node('one'),
      node('one', { 'foo.node-restriction.kubernetes.io/x': '' }),
      'nodes "one" is forbidden: is not allowed to modify labels: foo.node-restriction.kubernetes.io/x',
    ],
    [
      'taints',
      node('one', {}, { taints: [] }),
      node('one', {}, { taints: [{ key: 'a', effect: 'NoSchedule' }] }),
      'is not allowed to modify taints',
    ],
  ])('validates a node: %s', async (_title, object, oldObject, expected) => {
    const message = await fault(
      'nodes',
      object,
      oldObject === undefined ? {} : { operation: 'UPDATE', oldObject },
    );
    if (expected === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(expected);
  });

  it.each<[string, object | undefined, string | undefined]>([
    ['of its pod', { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'pod-uid' }, undefined],
    ['of none', undefined, 'not bound to a pod'],
    ['of a secret', { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' }, 'not bound to a pod'],
    ['without uid', { apiVersion: 'v1', kind: 'Pod', name: 'p' }, 'without a uid'],
    [
      'of an earlier pod',
      { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'old' },
      'does not match the UID in record',
    ],
    [
      'of a pod elsewhere',
      { apiVersion: 'v1', kind: 'Pod', name: 'q', uid: 'pod-uid' },
      'scheduled on a different node',
    ],
    ['of no pod', { apiVersion: 'v1', kind: 'Pod', name: 'r', uid: 'u' }, 'not found'],
  ])('validates a token %s', async (_title, boundObjectRef, expected) => {
    const message = await fault(
      'serviceaccounts',
      { spec: { boundObjectRef } },
      { subresource: 'token', name: 'default' },
    );
    if (expected === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(expected);
  });

  it('validates leases, CSINodes, slices and claims', async () => {
    const lease = (name: string, namespace = 'kube-node-lease') =>
      fault('leases', { metadata: { name } }, { group: 'coordination.k8s.io', namespace });
    expect([await lease('one'), await lease('two'), await lease('one', 'n')]).toEqual([
      undefined,
      expect.stringContaining('can only access node lease with the same name as the requesting node'),
      expect.stringContaining('system namespace'),
    ]);
    const csi = (name: string) => fault('csinodes', { metadata: { name } }, { group: 'storage.k8s.io' });
    expect([await csi('one'), await csi('two')]).toEqual([
      undefined,
      expect.stringContaining('can only access CSINode'),
    ]);
    const slice = (name: string) =>
      fault(
        'resourceslices',
        { metadata: { name: 's' }, spec: { nodeName: name } },
        { group: 'resource.k8s.io' },
      );
    expect([await slice('one'), await slice('two')]).toEqual([
      undefined,
      expect.stringContaining('can only create/delete ResourceSlices'),
    ]);
    const claim = (capacity: string, phase: string) =>
      fault(
        'persistentvolumeclaims',
        { metadata: { name: 'c', resourceVersion: '2' }, status: { capacity: { storage: capacity }, phase } },
        {
          operation: 'UPDATE',
          subresource: 'status',
          oldObject: {
            metadata: { name: 'c', resourceVersion: '1' },
            status: { capacity: { storage: '1Gi' }, phase: 'Bound' },
          },
        },
      );
    expect([await claim('2Gi', 'Bound'), await claim('2Gi', 'Lost')]).toEqual([
      undefined,
      expect.stringContaining('is not allowed to update fields other than status.quantity'),
    ]);
  });
});
