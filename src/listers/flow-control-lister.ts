import type { FlowControlLister } from '../flow-control/index.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Registry } from '../resources/resources.ts';
import { Lister } from './listers.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';

/** Lists the stored flow schemas and priority levels. Their caches are filled before the first request. */
export function flowControlLister(registry: Registry): FlowControlLister {
  const schemas = new Lister(registry, GROUP, 'flowschemas');
  const levels = new Lister(registry, GROUP, 'prioritylevelconfigurations');
  return {
    get generation() {
      return schemas.cache.generation + levels.cache.generation;
    },
    flowSchemas: () => schemas.listCached() as FlowSchema[],
    priorityLevels: () => levels.listCached() as PriorityLevelConfiguration[],
  };
}
