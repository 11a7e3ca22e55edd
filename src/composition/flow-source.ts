import type { FlowSource } from '../filters/priority.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Registry } from '../registry/registry.ts';
import { ObjectReader } from './readers.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';

/** The stored flow schemas and priority levels. Their caches are filled by the time the first request comes. */
export function flowSource(registry: Registry): FlowSource {
  const schemas = new ObjectReader(registry, GROUP, 'flowschemas');
  const levels = new ObjectReader(registry, GROUP, 'prioritylevelconfigurations');
  return {
    get generation() {
      return schemas.cache.generation + levels.cache.generation;
    },
    flowSchemas: () => schemas.all() as FlowSchema[],
    priorityLevels: () => levels.all() as PriorityLevelConfiguration[],
  };
}
