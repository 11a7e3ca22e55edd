import { describe, expect, it } from 'vitest';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('storage.k8s.io');

describe('storage classes', () => {
  const strategy = strategies['storageclasses']!;
  const smallest = { provisioner: 'example.test/p' };
  const topology = (...expressions: object[]) => ({
    ...smallest,
    allowedTopologies: [{ matchLabelExpressions: expressions }],
  });

  it('allows changes of allowVolumeExpansion only', () => {
    const { object } = created(strategy, smallest);
    expect(updated(strategy, { ...smallest, allowVolumeExpansion: true }, object).errors).toEqual([]);
    expect(
      updated(
        strategy,
        {
          provisioner: 'other',
          parameters: { a: 'b' },
          reclaimPolicy: 'Retain',
          volumeBindingMode: 'WaitForFirstConsumer',
        },
        object,
      ).errors,
    ).toEqual([
      'parameters: Forbidden: updates to parameters are forbidden.',
      'provisioner: Forbidden: updates to provisioner are forbidden.',
      'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ]);
  });

  it('rejects duplicates in allowed topologies', () => {
    const field = 'allowedTopologies[0].matchLabelExpressions';
    expect(errorsOf(strategy, topology({ key: 'zone', values: ['a', 'a'] }))).toEqual([
      `${field}[0].values[1]: Duplicate value: "a"`,
    ]);
    expect(errorsOf(strategy, topology({ key: 'zone', values: [] }, { key: 'zone', values: ['a'] }))).toEqual(
      [`${field}[0].values: Required value`, `${field}[1].key: Duplicate value: "zone"`],
    );
  });

  it('warns of deprecated topology labels', () => {
    const object = defaulted(
      strategy,
      topology({ key: 'failure-domain.beta.kubernetes.io/zone', values: ['a'] }),
    );
    expect(strategy.warnings!(object, undefined, contextOf())).toEqual([
      'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ]);
  });

  it('limits the size of parameters', () => {
    const many = Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`k${index}`, '']));
    expect(errorsOf(strategy, { ...smallest, parameters: many })).toEqual([
      'parameters: Too long: may not be more than 512 bytes',
    ]);
    expect(errorsOf(strategy, { ...smallest, parameters: { a: 'x'.repeat(256 * 1024) } })).toEqual([
      'parameters: Too long: may not be more than 262144 bytes',
    ]);
  });
});

describe('CSI drivers', () => {
  const strategy = strategies['csidrivers']!;

  it('defaults to persistent volumes that require attachment', () => {
    expect(defaulted(strategy, {}).spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    });
  });

  it('keeps the given generation and increments it when the spec changes', () => {
    const { object } = created(strategy, { metadata: { generation: 7 } });
    expect(object.metadata!.generation).toBe(7);
    expect(updated(strategy, { spec: { podInfoOnMount: true } }, object).object.metadata!.generation).toBe(8);
  });

  it.each([
    [{ attachRequired: false }, 'spec.attachedRequired: Invalid value: false: field is immutable'],
    [
      { volumeLifecycleModes: ['Ephemeral'] },
      'spec.volumeLifecycleModes: Invalid value: []storage.VolumeLifecycleMode{"Ephemeral"}: field is immutable',
    ],
  ])('rejects the update %j', (spec, expected) => {
    expect(updated(strategy, { spec }, created(strategy, {}).object).errors).toEqual([expected]);
  });

  it('validates the expiration and audiences of token requests', () => {
    const tokenRequests = [
      { audience: 'a', expirationSeconds: 599 },
      { audience: 'a' },
      { audience: 'b', expirationSeconds: 2 ** 32 + 1 },
    ];
    expect(errorsOf(strategy, { spec: { tokenRequests } })).toEqual([
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
      'spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ]);
  });
});

describe('CSI nodes', () => {
  const strategy = strategies['csinodes']!;
  const driver = { name: 'd.example.test', nodeID: 'n1', topologyKeys: ['zone'] };

  it('allows added and removed drivers, but no changed ones', () => {
    const { object } = created(strategy, { spec: { drivers: [driver] } });
    expect(updated(strategy, { spec: { drivers: [] } }, object).errors).toEqual([]);
    expect(updated(strategy, { spec: { drivers: [{ ...driver, nodeID: 'n2' }] } }, object).errors).toEqual([
      'CSINodeDriver: Invalid value: storage.CSINodeDriver{Name:"d.example.test", NodeID:"n2", TopologyKeys:[]string{"zone"}, Allocatable:(*storage.VolumeNodeResources)(nil)}: field is immutable',
    ]);
  });
});

describe('volume attachments', () => {
  const strategy = strategies['volumeattachments']!;
  const spec = (source: object) => ({ spec: { attacher: 'd.example.test', nodeName: 'n', source } });

  it('requires exactly one source', () => {
    const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
    const csi = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd.example.test', volumeHandle: 'h' } };
    expect(errorsOf(strategy, spec({ persistentVolumeName: 'v' }))).toEqual([]);
    expect(errorsOf(strategy, spec({ inlineVolumeSpec: csi }))).toEqual([]);
    expect(errorsOf(strategy, spec({}))).toEqual([`spec.source: Required value: ${one}`]);
    expect(errorsOf(strategy, spec({ persistentVolumeName: 'v', inlineVolumeSpec: csi }))).toEqual([
      `spec.source: Forbidden: ${one}`,
    ]);
    expect(errorsOf(strategy, spec({ inlineVolumeSpec: { ...csi, capacity: { storage: '1' } } }))).toEqual([
      'spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes',
    ]);
  });

  it('rejects a changed spec', () => {
    const { object } = created(strategy, spec({ persistentVolumeName: 'v' }));
    expect(updated(strategy, spec({ persistentVolumeName: 'w' }), object).errors[0]).toMatch(
      /^spec: Invalid value: storage\.VolumeAttachmentSpec\{.*: field is immutable$/,
    );
  });
});
