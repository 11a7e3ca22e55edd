import { describe, expect, it } from 'vitest';
import { persistentVolumeStrategy } from '../../../../src/kinds/core/volumes/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from '../../../../src/kinds/core/volumes/persistent-volume-claim.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../../run-strategy.ts';

describe('persistent volume claim strategy', () => {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'manual',
    resources: { requests: { storage: '1Gi' } },
  };
  const claim = (more: object): object => ({ spec: { ...spec, ...more } });

  it.each([
    [
      'a claim as data source',
      { dataSource: { kind: 'PersistentVolumeClaim', name: 'o' } },
      { kind: 'PersistentVolumeClaim', name: 'o' },
      { kind: 'PersistentVolumeClaim', name: 'o' },
    ],
    [
      'a data source of another kind',
      { dataSource: { apiGroup: 'example.test', kind: 'Thing', name: 'o' } },
      undefined,
      undefined,
    ],
    [
      'a dataSourceRef to another kind',
      { dataSourceRef: { apiGroup: 'example.test', kind: 'Thing', name: 'o' } },
      { apiGroup: 'example.test', kind: 'Thing', name: 'o' },
      { apiGroup: 'example.test', kind: 'Thing', name: 'o' },
    ],
  ])('normalizes %s', (_case, more, dataSource, dataSourceRef) => {
    const { object, errors } = created(persistentVolumeClaimStrategy, claim(more));
    expect(errors).toEqual([]);
    expect((object.spec as { dataSource?: object }).dataSource).toEqual(dataSource);
    expect((object.spec as { dataSourceRef?: object }).dataSourceRef).toEqual(dataSourceRef);
    expect(object).toMatchObject({ spec: { volumeMode: 'Filesystem' }, status: {} });
    persistentVolumeClaimStrategy.defaulting!.completion!.complete(object);
    expect(object.status).toEqual({ phase: 'Pending' });
  });

  it.each([
    [
      'no access modes',
      { accessModes: [] },
      ['spec.accessModes: Required value: at least 1 access mode is required'],
    ],
    [
      'ReadWriteOncePod with another mode',
      { accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] },
      ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
    ],
    ['no storage request', { resources: undefined }, ['spec.resources[storage]: Required value']],
    [
      'a storage request of zero',
      { resources: { requests: { storage: '0' } } },
      ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      'an unknown mode',
      { volumeMode: 'Stream' },
      ['spec.volumeMode: Unsupported value: "Stream": supported values: "Block", "Filesystem"'],
    ],
  ])('rejects %s', (_case, more, expected) =>
    expect(errorsOf(persistentVolumeClaimStrategy, claim(more))).toEqual(expected),
  );

  it('allows setting volumeName once and expansion when bound', () => {
    const { object: old } = created(persistentVolumeClaimStrategy, claim({}));
    const change = (more: object, from = old): string[] =>
      updated(persistentVolumeClaimStrategy, { ...claim(more), status: from.status }, from).errors.map(
        (text) => text.split('\n')[0]!,
      );
    const immutable =
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    expect(change({ volumeName: 'pv' })).toEqual([]);
    expect(change({ accessModes: ['ReadOnlyMany'] })).toEqual([immutable]);
    const larger = { resources: { requests: { storage: '2Gi' } } };
    expect(change(larger)).toEqual([immutable]);
    const bound = { ...old, status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
    expect(change(larger, bound)).toEqual([]);
    expect(change({ resources: { requests: { storage: '1Mi' } } }, bound)).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
  });
});

describe('persistent volume strategy', () => {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
  const volume = (more: object): object => ({
    metadata: { name: 'pv', namespace: undefined },
    spec: { ...spec, ...more },
  });

  it('defaults a new volume to phase Pending', () => {
    expect(created(persistentVolumeStrategy, volume({})).object).toMatchObject({
      spec: {
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
        hostPath: { path: '/x', type: '' },
      },
      status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' },
    });
    expect(
      defaulted(persistentVolumeStrategy, volume({ hostPath: undefined, iscsi: { targetPortal: 'p' } })).spec,
    ).toMatchObject({
      iscsi: { iscsiInterface: 'default' },
    });
    expect(defaulted(persistentVolumeStrategy, volume({ hostPath: undefined })).spec).not.toHaveProperty(
      'emptyDir',
    );
  });

  it.each([
    [
      'no capacity',
      { capacity: {} },
      [
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: core.ResourceList{}: supported values: "storage"',
      ],
    ],
    ['no access modes', { accessModes: [] }, ['spec.accessModes: Required value']],
    ['no source', { hostPath: undefined }, ['spec: Required value: must specify a volume type']],
    [
      'two sources',
      { nfs: { server: 's', path: '/p' } },
      ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a path with a backstep',
      { hostPath: { path: '/a/../b' } },
      [`spec.hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
    ],
    [
      'recycling the root',
      { hostPath: { path: '//' }, persistentVolumeReclaimPolicy: 'Recycle' },
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ],
    [
      'a negative capacity',
      { capacity: { storage: '-1' } },
      ['must be a valid resource quantity', 'must be greater than zero'].map(
        (text, index) => `spec.capacity[storage]: Invalid value: ${index === 0 ? -1 : '"-1"'}: ${text}`,
      ),
    ],
    [
      'a local volume without node affinity',
      { hostPath: undefined, local: { path: '/x' } },
      ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    [
      'a CSI source without a volume handle',
      { hostPath: undefined, csi: { driver: 'd.test' } },
      ['spec.csi.volumeHandle: Required value'],
    ],
    [
      'an affinity without terms',
      { nodeAffinity: { required: {} } },
      [
        'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
  ])('rejects %s', (_case, more, expected) =>
    expect(errorsOf(persistentVolumeStrategy, volume(more))).toEqual(expected),
  );

  it('rejects a change of the source', () => {
    const { object: old } = created(persistentVolumeStrategy, volume({}));
    expect(updated(persistentVolumeStrategy, volume({ hostPath: { path: '/y' } }), old).errors).toEqual([
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
    ]);
    expect(updated(persistentVolumeStrategy, volume({ capacity: { storage: '2Gi' } }), old).errors).toEqual(
      [],
    );
  });

  it('sets lastPhaseTransitionTime when the phase changes', () => {
    const old = {
      ...created(persistentVolumeStrategy, volume({})).object,
      status: { phase: 'Pending', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' },
    };
    const statusAfter = (phase: string): object =>
      updated(
        persistentVolumeStrategy,
        { ...volume({}), status: { phase } },
        old,
        contextOf({ subresource: 'status' }),
      ).object.status as object;
    expect(statusAfter('Pending')).toEqual({
      phase: 'Pending',
      lastPhaseTransitionTime: '2020-01-01T00:00:00Z',
    });
    expect(statusAfter('Bound')).toEqual({ phase: 'Bound', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' });
  });
});
