import type { Strategy } from '../../strategy.ts';
import { clusterTrustBundleStrategy } from './cluster-trust-bundle.ts';
import { signingRequestStrategy } from './signing-request.ts';

export const strategies: Record<string, Strategy> = {
  certificatesigningrequests: signingRequestStrategy,
  clustertrustbundles: clusterTrustBundleStrategy,
};
