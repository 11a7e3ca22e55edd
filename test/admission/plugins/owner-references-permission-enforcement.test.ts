import { describe, expect, it } from 'vitest';
import { ownerReferencesPermissionEnforcement } from '../../../src/admission/plugins/owner-references-permission-enforcement.ts';
import type { OwnerReference } from '../../../src/model/object.ts';
import type { Attributes } from '../../../src/request/attributes.ts';
import { admissionRequest, admitted } from '../fixtures.ts';

const owner = (changes: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'rs',
  uid: 'u',
  ...changes,
});
const blocking = owner({ blockOwnerDeletion: true });
const ROWS = new Map([
  ['apps/v1/ReplicaSet', { group: 'apps', version: 'v1', resource: 'replicasets', namespaced: true }],
  ['/v1/Node', { group: '', version: 'v1', resource: 'nodes', namespaced: false }],
]);

/** @param allowed permissions as `verb resource/subresource namespace/name` */
function setUp(...allowed: string[]) {
  const plugin = ownerReferencesPermissionEnforcement({
    authorizer: {
      name: 'test',
      authorize({ verb, resource, subresource, namespace, name }: Attributes) {
        const asked = `${verb} ${resource}/${subresource} ${namespace}/${name}`;
        return { decision: allowed.includes(asked) ? 'allow' : 'no-opinion', reason: asked };
      },
    },
    resourceOfKind: (group, version, kind) => ROWS.get(`${group}/${version}/${kind}`),
  });
  const object = (ownerReferences: OwnerReference[]) => ({ metadata: { name: 'a', ownerReferences } });
  return {
    plugin,
    create: (...owners: OwnerReference[]) => admitted(plugin, admissionRequest('configmaps', object(owners))),
    update: (before: OwnerReference[], owners: OwnerReference[]) =>
      admitted(
        plugin,
        admissionRequest('configmaps', object(owners), {
          operation: 'UPDATE',
          oldObject: object(before),
        }),
      ),
  };
}
const DELETE = 'delete configmaps/ n/a';
const FINALIZE = 'update replicasets/finalizers n/rs';

describe('OwnerReferencesPermissionEnforcement', () => {
  it('lets everybody create objects with owners that they do not block', async () => {
    await setUp().create(owner());
  });

  it('asks for permission to set finalizers on an owner that is blocked', async () => {
    await setUp(FINALIZE).create(blocking);
    await expect(setUp().create(blocking)).rejects.toThrow(
      `configmaps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${FINALIZE}, <nil>`,
    );
    await setUp('update nodes/finalizers /rs').create({ ...blocking, apiVersion: 'v1', kind: 'Node' });
  });

  it('asks for permission to delete an object whose owners change', async () => {
    const refused = `configmaps "a" is forbidden: cannot set an ownerRef on a resource you can't delete: ${DELETE}, <nil>`;
    await expect(setUp().update([], [owner()])).rejects.toThrow(refused);
    await expect(setUp().update([owner()], [])).rejects.toThrow(refused);
    await setUp().update([owner()], [owner()]);
    await setUp(DELETE).update([], [owner()]);
  });

  it('asks about an owner that is blocked now and was not before', async () => {
    await expect(setUp(DELETE).update([owner()], [blocking])).rejects.toThrow('set finalizers on');
    await setUp(DELETE).update([blocking], [blocking, owner({ uid: 'v' })]);
  });

  it.each([
    ['absent.test/v1', 'no matches for kind "ReplicaSet" in version "absent.test/v1"'],
    ['a/b/c', 'unexpected GroupVersion string: a/b/c'],
  ])('rejects a blocked owner of the version %s', async (apiVersion, text) => {
    await expect(setUp().create({ ...blocking, apiVersion })).rejects.toThrow(
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ReplicaSet: ${text}`,
    );
  });

  it('ignores the status of pods', () => {
    const { plugin } = setUp();
    expect(plugin.handles('UPDATE', '', 'pods', 'status')).toBe(false);
    expect(plugin.handles('UPDATE', 'apps', 'deployments', 'status')).toBe(true);
  });
});
