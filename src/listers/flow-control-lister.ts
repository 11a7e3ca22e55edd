import type { FlowControlLister } from '../flow-control/index.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Resources } from '../resources/resources.ts';
import { Lister } from './listers.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';

/** Lists the stored flow schemas and priority levels. Their caches are filled before the first request. */
export function flowControlLister(resources: Resources): FlowControlLister {
  const schemas = new Lister(resources, GROUP, 'flowschemas');
  const levels = new Lister(resources, GROUP, 'prioritylevelconfigurations');
  return {
    get generation() {
      return schemas.cache.generation + levels.cache.generation;
    },
    flowSchemas: () => schemas.listCached() as FlowSchema[],
    priorityLevels: () => levels.listCached() as PriorityLevelConfiguration[],
  };
}
