import type { Strategy } from '../../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { endpointsStrategy } from './endpoints.ts';
import { eventStrategy } from './event.ts';
import { limitRangeStrategy } from './limit-range.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './nodes/node.ts';
import { strategies as podStrategies } from './pods/index-pods.ts';
import { resourceQuotaStrategy } from './resource-quota.ts';
import { secretStrategy } from './secret.ts';
import { serviceAccountStrategy } from './service-account.ts';
import { serviceStrategy } from './services/service.ts';
import { persistentVolumeStrategy } from './volumes/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from './volumes/persistent-volume-claim.ts';

/**
 * The core group. A server replaces `services` by the allocating strategy, and `events` by one with its own
 * time to live.
 */
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
