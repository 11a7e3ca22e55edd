import type { Strategy } from '../../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { endpointsStrategy } from './endpoints.ts';
import { eventStrategy } from './event.ts';
import { limitRangeStrategy } from './limit-range.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './nodes/node.ts';
import { bindingStrategy } from './pods/binding.ts';
import { podStrategy } from './pods/pod-strategy.ts';
import { podTemplateStrategy } from './pods/pod-template.ts';
import { replicationControllerStrategy } from './replication-controller.ts';
import { resourceQuotaStrategy } from './resource-quota.ts';
import { secretStrategy } from './secret.ts';
import { serviceAccountStrategy } from './service-account.ts';
import { serviceStrategy } from './services/service.ts';
import { persistentVolumeStrategy } from './volumes/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from './volumes/persistent-volume-claim.ts';

/**
 * Strategies of the core group, by resource. A server replaces `services` with the allocating strategy and
 * `events` with one that has the configured time to live.
 */
export const strategies: Record<string, Strategy> = {
  bindings: bindingStrategy,
  configmaps: configMapStrategy,
  endpoints: endpointsStrategy,
  events: eventStrategy(),
  limitranges: limitRangeStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  persistentvolumeclaims: persistentVolumeClaimStrategy,
  persistentvolumes: persistentVolumeStrategy,
  pods: podStrategy,
  podtemplates: podTemplateStrategy,
  replicationcontrollers: replicationControllerStrategy,
  resourcequotas: resourceQuotaStrategy,
  secrets: secretStrategy,
  serviceaccounts: serviceAccountStrategy,
  services: serviceStrategy,
};
