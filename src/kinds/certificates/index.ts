import type { BuiltinResource } from '../builtin-resource.ts';
import { clusterTrustBundles } from './cluster-trust-bundle.ts';
import { podCertificateRequests } from './pod-certificate-request.ts';
import { certificateSigningRequests } from './signing-request.ts';

export const certificatesResources: readonly BuiltinResource[] = [
  certificateSigningRequests,
  clusterTrustBundles,
  podCertificateRequests,
];
