import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { ResourceClaim } from '../../../src/model/generated/resource-v1beta1.ts';

export const FINALIZER = 'resource.kubernetes.io/delete-protection';

export const user = (name: string) => ({ resource: 'pods', name, uid: `uid-${name}` });

/** A claim with devices and these users. */
export const allocated = (...users: string[]): ResourceClaim => ({
  metadata: { name: 'shared', namespace: 'ns', uid: 'uid-claim', finalizers: ['other', FINALIZER] },
  spec: {},
  status: { allocation: { devices: { results: [] } }, reservedFor: users.map(user) },
});

/** A pod with an entry `gpu` of a template. */
export const pod = (name: string, members: Partial<Pod> = {}): Pod => ({
  ...members,
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, ...members.metadata },
  spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'template' }], ...members.spec },
});
