import { describe, expect, it } from 'vitest';
import { persistentVolumeStrategy } from '../../../../src/kinds/core/volumes/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from '../../../../src/kinds/core/volumes/persistent-volume-claim.ts';
import { strategiesOf } from '../../../support/builtin-resources.ts';
import { contextOf, created, errorsOf, updated } from '../../run-strategy.ts';

const storage = strategiesOf('storage.k8s.io');

const fields = (errors: readonly string[]): string[] =>
  errors.map((text) => text.slice(0, text.indexOf(': ')));
const csi = { driver: 'd.example.test', volumeHandle: 'h' };

describe('persistent volume rules', () => {
  const volume = (more: object) => ({
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...more },
  });

  it.each([
    [{ hostPath: { path: '/a' }, flexVolume: { driver: 'd' } }, []],
    [{ flexVolume: { driver: 'd' }, csi }, ['spec.csi']],
    [{ rbd: { monitors: ['m'], image: 'i' }, cephfs: { monitors: ['m'] } }, ['spec.cephFS']],
    [{ gcePersistentDisk: {} }, ['spec.persistentDisk.pdName']],
    [{ local: { path: '/a' } }, ['spec.nodeAffinity']],
    [{ hostPath: { path: '/a' }, local: { path: '/a' } }, ['spec.local']],
    [{ quobyte: { registry: 'added', volume: 'v' } }, ['spec.quobyte.registry']],
    [{ quobyte: { registry: 'a:1,[::1]:2', volume: 'v' } }, []],
    [{ storageos: { volumeName: 'UPPER' } }, ['spec.storageos.volumeName']],
    [{ csi: { ...csi, driver: '' } }, ['spec.csi.driver', 'spec.csi.driver']],
    [{ csi: { ...csi, nodeStageSecretRef: { name: 's' } } }, []],
    [
      { csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'a.b' } } },
      ['spec.csi.controllerExpandSecretRef.namespace'],
    ],
  ])('validates %j', (more, expected) =>
    expect(fields(errorsOf(persistentVolumeStrategy, volume(more)))).toEqual(expected),
  );

  it('allows setting controllerExpandSecretRef once', () => {
    const { object: old } = created(persistentVolumeStrategy, volume({ csi }));
    const withSecret = (name: string) =>
      volume({ csi: { ...csi, controllerExpandSecretRef: { name, namespace: 'n' } } });
    expect(updated(persistentVolumeStrategy, withSecret('s'), old).errors).toEqual([]);
    const { object: withSecretSet } = created(persistentVolumeStrategy, withSecret('s'));
    expect(fields(updated(persistentVolumeStrategy, withSecret('t'), withSecretSet).errors)).toEqual([
      'spec.persistentvolumesource',
    ]);
  });

  it('allows replacing a beta node label by its GA label only', () => {
    const at = (key: string) =>
      volume({
        csi,
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
        },
      });
    const { object: old } = created(persistentVolumeStrategy, at('failure-domain.beta.kubernetes.io/zone'));
    expect(updated(persistentVolumeStrategy, at('topology.kubernetes.io/zone'), old).errors).toEqual([]);
    expect(
      fields(updated(persistentVolumeStrategy, at('topology.kubernetes.io/region'), old).errors),
    ).toEqual(['nodeAffinity']);
  });
});

describe('persistent volume claim rules', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };

  it('rejects data sources that differ', () => {
    expect(
      fields(
        errorsOf(persistentVolumeClaimStrategy, { spec: { ...spec, dataSource: {}, dataSourceRef: source } }),
      ),
    ).toEqual(['spec.dataSource.name', 'spec.dataSource.kind', 'spec.dataSource', 'spec']);
  });

  it('accepts a malformed group when the stored claim has one', () => {
    const malformed = { ...source, apiGroup: 'a/b' };
    expect(
      fields(errorsOf(persistentVolumeClaimStrategy, { spec: { ...spec, dataSourceRef: malformed } })),
    ).toContain('spec.dataSourceRef.apiGroup');
    const { object: old } = created(persistentVolumeClaimStrategy, {
      spec: { ...spec, dataSourceRef: source },
    });
    const { errors } = updated(
      persistentVolumeClaimStrategy,
      { spec: { ...spec, dataSourceRef: malformed } },
      old,
    );
    expect(fields(errors)).not.toContain('spec.dataSourceRef.apiGroup');
  });

  it.each([
    [{ allocatedResources: { '-x': '1' } }, ['status.allocatedResources']],
    [{ allocatedResources: { cpu: '1' } }, ['status.allocatedResources']],
    [{ allocatedResources: { 'example.test/x': '1', storage: '1' } }, []],
    [{ allocatedResourceStatuses: { storage: 'Nope' } }, ['status.allocatedResourceStatus']],
  ])('validates status %j', (status, expected) => {
    const { object: old } = created(persistentVolumeClaimStrategy, { spec });
    const { errors } = updated(
      persistentVolumeClaimStrategy,
      { spec, status },
      old,
      contextOf({ subresource: 'status' }),
    );
    expect(fields(errors)).toEqual(expected);
  });
});

describe('volume attachment rules', () => {
  const strategy = storage.volumeattachments!;
  const inline = (more: object) => ({
    spec: {
      attacher: 'd.example.test',
      nodeName: 'n',
      source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi, ...more } },
    },
  });
  const at = 'spec.source.inlineVolumeSpec';

  it.each([
    [{}, []],
    [{ volumeMode: 'Filesystem' }, []],
    [{ volumeMode: 'Block' }, [`${at}.volumeMode`]],
    [{ claimRef: {} }, [`${at}.claimRef`]],
    [{ accessModes: ['readwriteonce'] }, [`${at}.accessModes`]],
    [{ persistentVolumeReclaimPolicy: 'Delete' }, [`${at}.persistentVolumeReclaimPolicy`]],
    [{ csi: {} }, [`${at}.csi.driver`, `${at}.csi.driver`, `${at}.csi.volumeHandle`]],
  ])('validates an inline volume with %j', (more, expected) =>
    expect(fields(errorsOf(strategy, inline(more)))).toEqual(expected),
  );

  it('rejects a malformed attacher at creation only', () => {
    const attachment = (attacher: string) => ({
      spec: { attacher, nodeName: 'n', source: { persistentVolumeName: 'v' } },
    });
    expect(fields(errorsOf(strategy, attachment('a b')))).toEqual(['spec.attacher']);
    const { object: old } = created(strategy, attachment('a b'));
    expect(updated(strategy, attachment('a b'), old).errors).toEqual([]);
  });
});

it('rejects storage class topologies that are empty or duplicate', () => {
  const topology = (...keys: string[]) => ({
    matchLabelExpressions: keys.map((key) => ({ key, values: ['a', 'b'] })),
  });
  const errors = (...allowedTopologies: object[]) =>
    fields(errorsOf(storage.storageclasses!, { provisioner: 'p', allowedTopologies }));
  expect(errors({})).toEqual(['allowedTopologies[0].matchLabelExpressions']);
  expect(errors(topology('x', 'y'), topology('y', 'x'))).toEqual([
    'allowedTopologies[1].matchLabelExpressions',
  ]);
});
