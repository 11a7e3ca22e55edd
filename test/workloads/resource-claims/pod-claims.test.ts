import { describe, expect, it } from 'vitest';
import type { ResourceClaimTemplate } from '../../../src/model/generated/resource-v1beta1.ts';
import {
  claimOfTemplate,
  entryClaim,
  needsReservation,
} from '../../../src/workloads/resource-claims/pod-claims.ts';
import { allocated, pod } from './objects.ts';

const TEMPLATE: ResourceClaimTemplate = {
  metadata: { name: 'template', namespace: 'ns' },
  spec: {
    metadata: { labels: { l: '1' }, annotations: { a: '1' } },
    spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c' }] } },
  },
};

describe('the claim of an entry of a Pod', () => {
  const entry = { name: 'gpu', resourceClaimTemplateName: 'template' };
  const statuses = (...resourceClaimStatuses: object[]) => pod('p', { status: { resourceClaimStatuses } });

  it('is the one that the entry or the status names', () => {
    expect(entryClaim(pod('p'), { name: 'gpu', resourceClaimName: 'shared' })).toEqual({
      is: 'named',
      name: 'shared',
      isMade: false,
    });
    expect(entryClaim(statuses({ name: 'gpu', resourceClaimName: 'p-gpu-x' }), entry)).toEqual({
      is: 'named',
      name: 'p-gpu-x',
      isMade: true,
    });
    expect(entryClaim(statuses({ name: 'other' }), entry)).toEqual({ is: 'missing' });
    expect(entryClaim(statuses({ name: 'gpu' }), entry)).toEqual({ is: 'none' });
  });

  it('is made of the template, and belongs to the Pod', () =>
    expect(claimOfTemplate(pod('p'), entry, TEMPLATE, false)).toEqual({
      metadata: {
        generateName: 'p-gpu-',
        namespace: 'ns',
        labels: { l: '1' },
        annotations: { a: '1', 'resource.kubernetes.io/pod-claim-name': 'gpu' },
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            name: 'p',
            uid: 'uid-p',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: TEMPLATE.spec!.spec,
    }));

  it('has a name with a share of both names', () => {
    const { generateName } = claimOfTemplate(pod('p'.repeat(60)), { name: 'c'.repeat(40) }, TEMPLATE, false)
      .metadata!;
    expect(generateName).toBe(`${'p'.repeat(33)}-${'c'.repeat(22)}`);
  });

  it('may not use the devices of others unless that is allowed', () => {
    const admin = { spec: { spec: { devices: { requests: [{ name: 'r', adminAccess: true }] } } } };
    expect(() => claimOfTemplate(pod('p'), entry, admin, false)).toThrow(
      'admin access is requested, but the feature is disabled',
    );
    expect(claimOfTemplate(pod('p'), entry, admin, true).spec).toEqual(admin.spec.spec);
  });
});

describe('a claim with devices', () => {
  it('is reserved once for a Pod, and for 256 at most', () => {
    expect(needsReservation(allocated('a'), pod('b'))).toBe(true);
    expect(needsReservation(allocated('a'), pod('a'))).toBe(false);
    expect(needsReservation({ status: {} }, pod('a'))).toBe(false);
    const full = allocated(...Array.from({ length: 256 }, (_, index) => `${index}`));
    expect(needsReservation(full, pod('b'))).toBe(false);
  });
});
