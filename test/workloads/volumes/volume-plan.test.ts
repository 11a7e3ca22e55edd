import { describe, expect, it } from 'vitest';
import { planReclaim } from '../../../src/workloads/volumes/reclaim.ts';
import { simulatedVolume } from '../../../src/workloads/volumes/simulated-volume.ts';
import { planVolume, settledVolume } from '../../../src/workloads/volumes/volume-plan.ts';
import { claim, reference, storageClass, volume } from './objects.ts';

const MADE = { 'pv.kubernetes.io/provisioned-by': 'csi.example.com' };

describe('a volume', () => {
  const mine = { claimRef: reference('data', 'uid-data') };

  it('is available until a claim with a uid has it', () => {
    expect(planVolume(volume('a'), undefined)).toEqual({ does: 'enter', phase: 'Available' });
    const reserved = volume('a', { claimRef: reference('data') });
    expect(planVolume(reserved, claim('data'))).toEqual({ does: 'enter', phase: 'Available' });
  });

  it('is bound once both name each other', () => {
    expect(planVolume(volume('a', mine), claim('data'))).toEqual({ does: 'bindClaim' });
    expect(planVolume(volume('a', mine), claim('data', { volumeName: 'a' }))).toEqual({
      does: 'enter',
      phase: 'Bound',
    });
  });

  it('is refused for a claim of another mode', () =>
    expect(planVolume(volume('a', mine), claim('data', { volumeMode: 'Block' }))).toMatchObject({
      does: 'refuse',
      report: {
        message:
          'Cannot bind PersistentVolume to requested PersistentVolumeClaim "data" due to incompatible volumeMode.',
      },
      claimReport: {
        message:
          'Cannot bind PersistentVolume "a" to requested PersistentVolumeClaim due to incompatible volumeMode.',
      },
    }));

  it('is released with its claim, also if another one has its name', () => {
    expect(planVolume(volume('a', mine), undefined)).toEqual({ does: 'release' });
    const other = { ...claim('data'), metadata: { name: 'data', namespace: 'ns', uid: 'new' } };
    expect(planVolume(volume('a', mine), other)).toEqual({ does: 'release' });
  });

  it('is given up if its claim has another volume', () => {
    const elsewhere = claim('data', { volumeName: 'b' });
    expect(planVolume(volume('a', mine), elsewhere)).toEqual({ does: 'unbind' });
    const made = volume('a', { ...mine, persistentVolumeReclaimPolicy: 'Delete' }, { annotations: MADE });
    expect(planVolume(made, elsewhere)).toEqual({ does: 'release' });
  });
});

describe('a volume whose claim is gone', () => {
  const SIMULATED = { simulates: true, users: [] };
  const reclaim = (policy: string, spec: object, settings: Parameters<typeof planReclaim>[1] = SIMULATED) =>
    planReclaim(volume('a', { ...spec, persistentVolumeReclaimPolicy: policy }), settings);
  const failure = (reason: string, message: string) => ({
    does: 'fail',
    report: { type: 'Warning', reason, message },
  });

  it('is kept with Retain, and left to its driver', () => {
    expect(reclaim('Retain', {})).toEqual({ does: 'nothing' });
    expect(reclaim('Delete', { csi: { driver: 'csi.example.com', volumeHandle: 'a' } })).toEqual({
      does: 'nothing',
    });
    const made = volume('a', { persistentVolumeReclaimPolicy: 'Delete' }, { annotations: MADE });
    expect(planReclaim(made, SIMULATED)).toEqual({ does: 'nothing' });
  });

  it('is deleted if its storage can be, and fails otherwise', () => {
    expect(reclaim('Delete', { hostPath: { path: '/tmp/a' } })).toEqual({ does: 'delete' });
    expect(reclaim('Delete', { hostPath: { path: '/data/a' } })).toEqual(
      failure('VolumeFailedDelete', 'host_path deleter only supports /tmp/.+ but received provided /data/a'),
    );
    expect(reclaim('Delete', { nfs: { server: 's', path: '/' } })).toEqual(
      failure(
        'VolumeFailedDelete',
        'error getting deleter volume plugin for volume "a": no deletable volume plugin matched',
      ),
    );
    expect(reclaim('Delete', { local: { path: '/a' } })).toEqual(
      failure(
        'VolumeFailedDelete',
        'error getting deleter volume plugin for volume "a": no volume plugin matched',
      ),
    );
    expect(reclaim('Burn', {})).toEqual(
      failure('VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy'),
    );
  });

  it('is recycled on simulated nodes while no pod uses it', () => {
    const path = { hostPath: { path: '/a' } };
    expect(reclaim('Recycle', path)).toMatchObject({ does: 'recycle' });
    expect(reclaim('Recycle', path, { simulates: true, users: ['ns/p'] })).toEqual({
      does: 'report',
      report: { type: 'Normal', reason: 'VolumeFailedRecycle', message: 'Volume is used by pods: ns/p' },
    });
    const none = failure('VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    expect(reclaim('Recycle', path, { simulates: false, users: [] })).toEqual(none);
    expect(reclaim('Recycle', { local: { path: '/a' } })).toEqual(none);
  });
});

describe('the finalizer of a volume that was made', () => {
  const finalizersOf = (provisioner: string, policy: string, finalizers: string[]) => {
    const annotations = { 'pv.kubernetes.io/provisioned-by': provisioner };
    const made = volume('a', { persistentVolumeReclaimPolicy: policy }, { annotations });
    made.metadata!.finalizers = finalizers;
    return settledVolume(made).metadata!.finalizers;
  };
  const [plugin, driver] = [
    'kubernetes.io/pv-controller',
    'external-provisioner.volume.kubernetes.io/finalizer',
  ];

  it('keeps the volume of a plugin while it is to be deleted', () => {
    expect(finalizersOf('kubernetes.io/host-path', 'Delete', [driver])).toEqual([plugin]);
    expect(finalizersOf('kubernetes.io/host-path', 'Retain', [plugin, 'x'])).toEqual(['x']);
  });

  it('is left to drivers', () => {
    expect(finalizersOf('csi.example.com', 'Retain', [driver])).toEqual([driver]);
    expect(finalizersOf('kubernetes.io/aws-ebs', 'Delete', [plugin, driver])).toEqual([driver]);
  });

  it('follows the policy of a simulated volume', () => {
    const made = simulatedVolume(claim('data'), storageClass('c'), undefined);
    expect(settledVolume(made)).toBe(made);
    expect(made.metadata!.finalizers).toEqual([driver]);
    const kept = { ...made, spec: { ...made.spec, persistentVolumeReclaimPolicy: 'Retain' } };
    expect(settledVolume(kept).metadata!.finalizers).toEqual([]);
  });

  it('names the driver that acts for a plugin', () => {
    const annotations = { 'pv.kubernetes.io/provisioned-by': 'kubernetes.io/gce-pd' };
    expect(settledVolume(volume('a', {}, { annotations })).metadata!.annotations).toEqual({
      ...annotations,
      'pv.kubernetes.io/migrated-to': 'pd.csi.storage.gke.io',
    });
  });
});
