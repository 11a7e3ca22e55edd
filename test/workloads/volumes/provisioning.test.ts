import { describe, expect, it } from 'vitest';
import { SIMULATED_PROVISIONER } from '../../../src/reconcile/volumes/annotations.ts';
import { planProvisioning } from '../../../src/workloads/volumes/provisioning.ts';
import { simulatedVolume } from '../../../src/workloads/volumes/simulated-volume.ts';
import { claim, storageClass } from './objects.ts';

const SETTINGS = { provisions: true, simulates: true };
const PROVISIONERS = [
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/storage-provisioner',
];
const SIMULATED = storageClass('c', { provisioner: SIMULATED_PROVISIONER });

const asked = (provisioner: string) => {
  const plan = planProvisioning(claim('data'), storageClass('c', { provisioner }), SETTINGS);
  return plan.does === 'ask' ? [plan.claim.metadata!.annotations, plan.report] : plan;
};

describe('a claim of a storage class', () => {
  it('waits for the driver of the class', () => {
    const message = (driver: string): string =>
      `Waiting for a volume to be created either by the external provisioner '${driver}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    for (const [provisioner, driver] of [
      ['example.com/disk', 'example.com/disk'],
      ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
    ] as const)
      expect(asked(provisioner)).toEqual([
        Object.fromEntries(PROVISIONERS.map((name) => [name, driver])),
        { type: 'Normal', reason: 'ExternalProvisioning', message: message(driver) },
      ]);
  });

  it('is told why no volume is made', () => {
    const failed = (message: string) => ({ type: 'Warning', reason: 'ProvisioningFailed', message });
    expect(planProvisioning(claim('data'), undefined, SETTINGS)).toEqual({
      does: 'report',
      report: failed('storageclass.storage.k8s.io "c" not found'),
    });
    expect(asked('kubernetes.io/no-provisioner')).toEqual({
      does: 'report',
      report: failed('no volume plugin matched name: kubernetes.io/no-provisioner'),
    });
    expect(asked('kubernetes.io/nfs')).toEqual({
      does: 'report',
      report: failed('no provisionable volume plugin matched'),
    });
    expect(asked('kubernetes.io/host-path')).toMatchObject([
      {},
      failed(
        'Failed to create provisioner: provisioning in volume plugin "kubernetes.io/host-path" is disabled',
      ),
    ]);
  });

  it('gets nothing where provisioning is off', () =>
    expect(planProvisioning(claim('data'), SIMULATED, { provisions: false, simulates: true })).toEqual({
      does: 'nothing',
    }));

  it('gets a simulated volume if the class says so and nodes are simulated', () => {
    expect(planProvisioning(claim('data'), SIMULATED, SETTINGS)).toMatchObject({ does: 'make' });
    const marked = storageClass('c', { metadata: { annotations: { 'sim.binnacle.dev/provision': 'true' } } });
    expect(planProvisioning(claim('data'), marked, SETTINGS)).toMatchObject({ does: 'make' });
    expect(planProvisioning(claim('data'), SIMULATED, { ...SETTINGS, simulates: false })).toMatchObject({
      does: 'ask',
      report: { reason: 'ExternalProvisioning' },
    });
    const refused = claim('data', {}, { 'sim.binnacle.dev/provision': 'false' });
    expect(planProvisioning(refused, SIMULATED, SETTINGS)).toMatchObject({ does: 'ask' });
  });

  it('is scheduled again if its annotation says why no volume can be made', () => {
    const failing = claim(
      'data',
      {},
      { 'sim.binnacle.dev/provision-error': 'no space', 'volume.kubernetes.io/selected-node': 'n' },
    );
    const plan = planProvisioning(failing, SIMULATED, SETTINGS);
    expect(plan).toMatchObject({
      does: 'ask',
      report: {
        type: 'Warning',
        reason: 'ProvisioningFailed',
        message: 'Failed to provision volume with StorageClass "c": no space',
      },
    });
    expect(plan).not.toHaveProperty([
      'claim',
      'metadata',
      'annotations',
      'volume.kubernetes.io/selected-node',
    ]);
  });
});

describe('a simulated volume', () => {
  it('is what the claim and its class ask for', () =>
    expect(simulatedVolume(claim('data'), { ...SIMULATED, mountOptions: ['ro'] }, undefined)).toEqual({
      metadata: {
        name: 'pvc-uid-data',
        annotations: {
          'pv.kubernetes.io/bound-by-controller': 'yes',
          'pv.kubernetes.io/provisioned-by': SIMULATED_PROVISIONER,
          'sim.binnacle.dev/provisioned': 'true',
        },
        finalizers: ['external-provisioner.volume.kubernetes.io/finalizer'],
      },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: 'ns',
          name: 'data',
          uid: 'uid-data',
        },
        csi: { driver: SIMULATED_PROVISIONER, volumeHandle: 'pvc-uid-data' },
        mountOptions: ['ro'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'c',
      },
    }));

  it('is of the driver that the class names, where that can be one', () => {
    const driverOf = (provisioner: string) =>
      simulatedVolume(claim('data'), storageClass('c', { provisioner }), undefined).spec!.csi!.driver;
    expect(driverOf('csi.example.com')).toBe('csi.example.com');
    expect(driverOf('kubernetes.io/cinder')).toBe('cinder.csi.openstack.org');
    expect(driverOf('rancher.io/local-path')).toBe(SIMULATED_PROVISIONER);
  });

  it('belongs to a topology that the class allows: the one of the selected node', () => {
    const zones = (...values: string[]) => ({ matchLabelExpressions: [{ key: 'zone', values }] });
    const zoned = { ...SIMULATED, allowedTopologies: [zones('a', 'b'), zones('c')] };
    const zoneOn = (zone?: string) =>
      simulatedVolume(claim('data'), zoned, zone === undefined ? undefined : { name: 'n', labels: { zone } })
        .spec!.nodeAffinity!.required!.nodeSelectorTerms![0]!.matchExpressions;
    expect(zoneOn('b')).toEqual([{ key: 'zone', operator: 'In', values: ['b'] }]);
    expect(zoneOn('c')).toEqual([{ key: 'zone', operator: 'In', values: ['c'] }]);
    expect(zoneOn()).toEqual([{ key: 'zone', operator: 'In', values: ['a'] }]);
  });
});
