import type { Strategy } from '../../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { endpointsStrategy } from './endpoints.ts';
import { eventStrategy } from './event.ts';
import { strategies as podStrategies } from './index-pods.ts';
import { limitRangeStrategy } from './limit-range.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { persistentVolumeStrategy } from './persistent-volume.ts';
import { persistentVolumeClaimStrategy } from './persistent-volume-claim.ts';
import { resourceQuotaStrategy } from './resource-quota.ts';
import { secretStrategy } from './secret.ts';
import { serviceStrategy } from './service.ts';
import { serviceAccountStrategy } from './service-account.ts';

/** The core group. A server replaces `services` by the allocating strategy, and `events` by one with its own time to live. */
export const strategies: Record<string, Strategy> = {
  ...podStrategies,
  configmaps: configMapStrategy,
  endpoints: endpointsStrategy,
  events: eventStrategy(),
  limitranges: limitRangeStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  persistentvolumeclaims: persistentVolumeClaimStrategy,
  persistentvolumes: persistentVolumeStrategy,
  resourcequotas: resourceQuotaStrategy,
  secrets: secretStrategy,
  serviceaccounts: serviceAccountStrategy,
  services: serviceStrategy,
};
