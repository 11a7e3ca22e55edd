import { describe, expect, it } from 'vitest';
import type { PersistentVolume } from '../../../src/model/generated/core-v1.ts';
import { type ClaimPlan, planClaim } from '../../../src/workloads/volumes/claim-plan.ts';
import { claim, reference, storageClass, view, volume } from './objects.ts';

const named = (plan: ClaimPlan): string | undefined =>
  plan.does === 'bind' ? plan.volume.metadata!.name : undefined;

const best = (spec: object, ...volumes: PersistentVolume[]): string | undefined =>
  named(planClaim(claim('data', spec), view(volumes)));

describe('the volume of a claim', () => {
  it('is the smallest that is large enough', () => {
    const volumes = ['1Gi', '20Gi', '6Gi'].map((storage) => volume(storage, { capacity: { storage } }));
    expect(best({ resources: { requests: { storage: '5Gi' } } }, ...volumes)).toBe('6Gi');
    expect(best({ resources: { requests: { storage: '21Gi' } } }, ...volumes)).toBe(undefined);
  });

  it('has all access modes that the claim wants, and as few others as possible', () => {
    const many = volume('many', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
    const once = volume('once', { capacity: { storage: '9Gi' } });
    expect(best({}, many, once)).toBe('once');
    expect(best({ accessModes: ['ReadWriteMany'] }, many, once)).toBe('many');
  });

  it('is available, not being deleted, of the class and mode, and selected', () => {
    expect(best({}, volume('a', {}, { phase: 'Released' }))).toBe(undefined);
    expect(best({}, volume('a', { storageClassName: 'other' }))).toBe(undefined);
    expect(best({ volumeMode: 'Block' }, volume('a'))).toBe(undefined);
    const going = volume('a');
    going.metadata!.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(best({}, going)).toBe(undefined);
    const gold = volume('gold');
    gold.metadata!.labels = { tier: 'gold' };
    expect(best({ selector: { matchLabels: { tier: 'gold' } } }, volume('a'), gold)).toBe('gold');
  });

  it('is the one that a user reserved for it', () => {
    const reserved = volume('reserved', { capacity: { storage: '9Gi' }, claimRef: reference('data') });
    const other = volume('other', { claimRef: reference('data', 'uid of another') });
    expect(best({}, volume('small'), other, reserved)).toBe('reserved');
  });

  it('is left to the scheduler if the class waits for a pod, unless it is reserved', () => {
    const waits = { classes: [storageClass('c', { volumeBindingMode: 'WaitForFirstConsumer' })] };
    expect(planClaim(claim('data'), view([volume('a')], waits))).toEqual({
      does: 'wait',
      report: {
        type: 'Normal',
        reason: 'WaitForFirstConsumer',
        message: 'waiting for first consumer to be created before binding',
      },
    });
    expect(planClaim(claim('data'), view([], { ...waits, pods: ['p'] }))).toMatchObject({
      report: { reason: 'WaitForPodScheduled', message: 'waiting for pod p to be scheduled' },
    });
    expect(planClaim(claim('data'), view([], { ...waits, pods: ['p', 'q'] }))).toMatchObject({
      report: { message: 'waiting for pods p,q to be scheduled' },
    });
    const reserved = volume('reserved', { claimRef: reference('data', 'uid-data') });
    expect(named(planClaim(claim('data'), view([reserved], waits)))).toBe('reserved');
    const selected = claim('data', {}, { 'volume.kubernetes.io/selected-node': 'n' });
    expect(planClaim(selected, view([volume('a')], waits)).does).toBe('provision');
  });
});

describe('a claim without volume', () => {
  it('gets the default class if it names none, and waits if there is none', () => {
    const none = claim('data');
    delete none.spec!.storageClassName;
    expect(planClaim(none, view([], { defaultClass: storageClass('standard') }))).toEqual({
      does: 'assign',
      storageClass: 'standard',
    });
    const report = {
      type: 'Normal',
      reason: 'FailedBinding',
      message: 'no persistent volumes available for this claim and no storage class is set',
    };
    expect(planClaim(none, view([]))).toEqual({ does: 'wait', report });
    const empty = claim('data', { storageClassName: '' });
    expect(planClaim(empty, view([], { defaultClass: storageClass('standard') }))).toEqual({
      does: 'wait',
      report,
    });
  });

  it('is provisioned for if it names a class', () =>
    expect(planClaim(claim('data'), view([]))).toEqual({ does: 'provision', storageClass: undefined }));
});

describe('a claim that names its volume', () => {
  const wants = (...volumes: PersistentVolume[]) =>
    planClaim(claim('data', { volumeName: 'a' }), view(volumes));

  it('waits for it', () => expect(wants(volume('b'))).toEqual({ does: 'wait' }));

  it('gets it if it is free or reserved for the claim', () => {
    expect(named(wants(volume('a')))).toBe('a');
    expect(named(wants(volume('a', { claimRef: reference('data'), storageClassName: 'other' })))).toBe('a');
  });

  it('is told why it cannot get it', () => {
    const refusal = (one: PersistentVolume): string | undefined => {
      const plan = wants(one);
      return plan.does === 'wait' ? `${plan.report?.reason}: ${plan.report?.message}` : plan.does;
    };
    const mismatch = 'VolumeMismatch: Cannot bind to requested volume "a": ';
    expect(refusal(volume('a', { capacity: { storage: '1Mi' } }))).toBe(
      `${mismatch}requested PV is too small`,
    );
    expect(refusal(volume('a', { storageClassName: 'x' }))).toBe(
      `${mismatch}storageClassName does not match`,
    );
    expect(refusal(volume('a', { volumeMode: 'Block' }))).toBe(`${mismatch}incompatible volumeMode`);
    expect(refusal(volume('a', { accessModes: ['ReadOnlyMany'] }))).toBe(
      `${mismatch}incompatible accessMode`,
    );
    expect(refusal(volume('a', { volumeAttributesClassName: 'x' }))).toBe(
      `${mismatch}volumeAttributesClassName does not match`,
    );
    const going = volume('a');
    going.metadata!.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(refusal(going)).toBe(`${mismatch}the volume is marked for deletion "a"`);
    expect(refusal(volume('a', { claimRef: reference('other') }))).toBe(
      'FailedBinding: volume "a" already bound to a different claim.',
    );
  });
});

describe('a claim that was bound', () => {
  const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes' };
  const plan = (spec: object, ...volumes: PersistentVolume[]) =>
    planClaim(claim('data', spec, BOUND), view(volumes));
  const loss = (reason: string, message: string) => ({
    does: 'lose',
    report: { type: 'Warning', reason, message },
  });

  it('keeps its volume', () => {
    expect(named(plan({ volumeName: 'a' }, volume('a', { claimRef: reference('data', 'uid-data') })))).toBe(
      'a',
    );
    expect(named(plan({ volumeName: 'a' }, volume('a')))).toBe('a');
  });

  it('is lost with its volume, with its name, or if the volume is of another claim', () => {
    expect(plan({ volumeName: 'a' })).toEqual(
      loss('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!'),
    );
    expect(plan({}, volume('a'))).toEqual(
      loss('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!'),
    );
    expect(plan({ volumeName: 'a' }, volume('a', { claimRef: reference('data', 'other') }))).toEqual(
      loss('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly'),
    );
  });
});
