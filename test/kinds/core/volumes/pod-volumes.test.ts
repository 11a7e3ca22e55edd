import { describe, expect, it } from 'vitest';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { errorsOf } from '../../run-strategy.ts';

const container = { name: 'c', image: 'i' };
const withVolumes = (...volumes: object[]): string[] =>
  errorsOf(podStrategy, {
    metadata: { name: 'p', namespace: 'n' },
    spec: { serviceAccountName: 'a', containers: [container], volumes },
  });
const withVolume = (source: object): string[] => withVolumes({ name: 'v', ...source });
const token = { expirationSeconds: 600, path: 't' };
const iscsi = { targetPortal: 't', iqn: 'iqn.2001-04.com.example:storage', lun: 0 };

describe('pod volumes', () => {
  it.each<[string, object, string[]]>([
    [
      'a second source, reported at its own path',
      { emptyDir: {}, cephfs: { monitors: ['m'] } },
      ['spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a second source that is a downward API',
      { emptyDir: {}, downwardAPI: {} },
      ['spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'two sources, in validation order',
      { configMap: { name: 'c' }, flexVolume: {} },
      [
        'spec.volumes[0].flexVolume.driver: Required value',
        'spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    [
      'a disk without a name',
      { gcePersistentDisk: { partition: 256 } },
      [
        'spec.volumes[0].persistentDisk.pdName: Required value',
        'spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
      ],
    ],
    [
      'a host path without a path',
      { hostPath: { type: 'Nope' } },
      ['spec.volumes[0].hostPath.path: Required value'],
    ],
    [
      'a malformed initiator',
      { iscsi: { ...iscsi, initiatorName: 'x' } },
      [
        'spec.volumes[0].iscsi.initiatorname: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      ],
    ],
    [
      'a portal that is too long',
      { iscsi: { ...iscsi, targetPortal: 'a'.repeat(63), initiatorName: iscsi.iqn } },
      [
        'spec.volumes[0].name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
      ],
    ],
    [
      'a malformed iqn',
      { iscsi: { ...iscsi, iqn: 'iqn.2001-04.com.example:a b' } },
      ['spec.volumes[0].iscsi.iqn: Invalid value: "iqn.2001-04.com.example:a b": must be valid format'],
    ],
    [
      'a malformed registry',
      { quobyte: { registry: 'a:1,b', volume: 'v' } },
      [
        'spec.volumes[0].quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
      ],
    ],
    [
      'a reserved option key',
      { flexVolume: { driver: 'd', options: { 'a.K8s.io/b': 'c' } } },
      [
        'spec.volumes[0].flexVolume.options[a.K8s.io/b]: Invalid value: "a.K8s.io/b": kubernetes.io and k8s.io namespaces are reserved',
      ],
    ],
    [
      'a secret without a name',
      { storageos: { volumeName: 'v', secretRef: {} } },
      ['spec.volumes[0].storageos.secretRef.name: Required value'],
    ],
    [
      'two types in one projected source',
      { projected: { sources: [{ secret: { name: 's' }, serviceAccountToken: token }] } },
      ['spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source'],
    ],
    [
      'files with the same path',
      {
        projected: {
          sources: [
            {
              secret: {
                name: 's',
                items: [
                  { key: 'a', path: 'x' },
                  { key: 'b', path: 'x' },
                ],
              },
            },
          ],
        },
      },
      ['spec.volumes[0].projected: Invalid value: "s": conflicting duplicate paths'],
    ],
    [
      'a token path outside the volume',
      { projected: { sources: [{ serviceAccountToken: { ...token, path: '../x' } }] } },
      ['spec.volumes[0].projected.path: Invalid value: "../x": must not contain \'..\''],
    ],
  ])('rejects %s', (_case, source, expected) => {
    expect(withVolume(source)).toEqual(expected);
  });

  it('reports an invalid secret name of a CSI driver at the driver', () => {
    expect(withVolume({ csi: { driver: 'd', nodePublishSecretRef: { name: 'a b' } } })).toEqual([
      expect.stringMatching(/^spec\.volumes\[0\]\.csi\.name: Invalid value: "a b"/),
    ]);
  });

  it('rejects a claim that is created for an ephemeral volume of the pod', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const ephemeral = { name: 'e', ephemeral: { volumeClaimTemplate: { spec } } };
    expect(withVolumes(ephemeral, { name: 'v', persistentVolumeClaim: { claimName: 'p-e' } })).toEqual([
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-e": must not reference a PVC that gets created for an ephemeral volume',
    ]);
  });

  it('rejects forbidden metadata of a claim template, including empty lists', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const metadata = { uid: 'u', generation: -1, ownerReferences: [], labels: { a: 'b' } };
    expect(withVolume({ ephemeral: { volumeClaimTemplate: { metadata, spec } } })).toEqual(
      ['uID', 'generation', 'ownerReferences'].map(
        (member) =>
          `spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.${member}: Forbidden: cannot be set`,
      ),
    );
  });
});
