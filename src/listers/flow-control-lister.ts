import type { FlowControlLister } from '../flow-control/index.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Resources } from '../resources/resources.ts';
import { Lister } from './listers.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';

/** Lists the stored flow schemas and priority levels. Their caches are filled before the first request. */
export function flowControlLister(resources: Resources): FlowControlLister {
  const schemas = new Lister(resources, GROUP, 'flowschemas');
  const levels = new Lister(resources, GROUP, 'prioritylevelconfigurations');
  return new StoredFlowControl(schemas, levels);
}

class StoredFlowControl implements FlowControlLister {
  readonly #schemas: Lister;
  readonly #levels: Lister;

  constructor(schemas: Lister, levels: Lister) {
    this.#schemas = schemas;
    this.#levels = levels;
  }

  get generation(): number {
    return this.#schemas.cache.generation + this.#levels.cache.generation;
  }

  flowSchemas(): FlowSchema[] {
    return this.#schemas.listCached() as FlowSchema[];
  }

  priorityLevels(): PriorityLevelConfiguration[] {
    return this.#levels.listCached() as PriorityLevelConfiguration[];
  }
}
