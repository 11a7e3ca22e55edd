import type { KubernetesObject } from '../model/object.ts';
import { formatMicroTime } from '../model/time.ts';

const LEASE_SECONDS = 3600;
const LABEL = 'apiserver.kubernetes.io/identity';
const LABEL_VALUE = 'kube-apiserver';

/** The namespace of the leases that show running servers. */
export const IDENTITY_NAMESPACE = 'kube-system';
/** Selects these leases. */
export const IDENTITY_SELECTOR = `${LABEL}=${LABEL_VALUE}`;

/** Name, holder and host of the lease that shows a running server. */
export interface ServerIdentity {
  readonly name: string;
  readonly holder: string;
  readonly hostname: string;
}

/** The Lease that shows a running server; readers of the cluster count servers by it. */
export const identityLease = (identity: ServerIdentity, now: number): KubernetesObject => ({
  metadata: {
    name: identity.name,
    namespace: IDENTITY_NAMESPACE,
    labels: { [LABEL]: LABEL_VALUE, 'kubernetes.io/hostname': identity.hostname },
  },
  spec: {
    holderIdentity: identity.holder,
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: formatMicroTime(now),
  },
});
