import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '../../../model/generated/apiextensions-v1.ts';
import { formatTime } from '../../../model/time.ts';
import type { Readers } from '../../../reader/readers.ts';
import { RecordView } from '../../../reader/record-view.ts';
import type { Resources } from '../../../resources/resources.ts';
import type { Storage } from '../../../storage/storage.ts';
import { apiServiceLoop, readApiService } from './api-services.ts';
import { CleanUpLoop } from './cleanup-loop.ts';
import type { LoopContext } from './control-loops.ts';
import { type Definition, summarize } from './definition.ts';
import { type InstanceStore, storagePrefix, storedInstances } from './instance-store.ts';
import { statusLoop } from './status-loop.ts';
import { definitionWriter } from './write-status.ts';

export interface DefinitionLoopOptions extends LoopContext {
  readonly resources: Resources;
  readonly readers: Readers;
  readonly storage: Storage;
  /** The objects of a definition, for its clean-up; default: those in the store. */
  readonly instances?: (definition: Definition) => InstanceStore;
}

/** The running control loops of definitions. */
export interface DefinitionLoops {
  /** The stored definitions. */
  readonly definitions: RecordView<Definition>;
  /** Resolves when in-flight work is done. */
  stop(): Promise<void>;
}

/**
 * Starts the control loops for definitions, which belong to the API server: status and accepted names,
 * clean-up of deleted definitions, and their APIServices.
 */
export function startDefinitionLoops(options: DefinitionLoopOptions): DefinitionLoops {
  const { resources, readers, storage, clusterClock, logger } = options;
  const resource = resources.internal('apiextensions.k8s.io', 'customresourcedefinitions');
  const services = resources.internal('apiregistration.k8s.io', 'apiservices');
  const follow = { logger, purpose: 'definitions' };
  const definitions = new RecordView({
    ...follow,
    seesOwnWrites: true,
    reader: readers.of(resource),
    read: (record) => summarize(resource.stored.decodeShared(record) as CustomResourceDefinition),
  });
  const apiServices = new RecordView({
    ...follow,
    reader: readers.of(services),
    read: readApiService,
  });
  const writer = definitionWriter(options, resource, definitions);
  const now = (): string => formatTime(clusterClock.now());
  const builtIn = builtInResources(resources);
  const status = statusLoop(options, definitions, writer, builtIn.names);
  const cleanUp = new CleanUpLoop({
    context: options,
    definitions,
    writer,
    instances: options.instances ?? ((definition) => storedInstances(storage, definition, now)),
    overlapsBuiltIn: builtIn.overlap,
  });
  const registration = apiServiceLoop(options, services, definitions, apiServices, resources.unreadable);
  definitions.start();
  apiServices.start();
  void run();
  return {
    definitions,
    async stop() {
      definitions.stop();
      apiServices.stop();
      await Promise.all([status.stop(), cleanUp.stop(), registration.stop()]);
    },
  };

  async function run(): Promise<void> {
    await definitions.synced;
    status.start();
    cleanUp.start();
    await apiServices.synced;
    registration.start();
  }
}

/** The names of the served built-in resources, and whether objects of a definition share their storage. */
function builtInResources({ served, builtin }: Resources) {
  const byGroup = new Map<string, CustomResourceDefinitionNames[]>();
  for (const row of builtin) {
    const { group, version, resource, singular, shortNames, kind, listKind } = row;
    if (group === '' || served.find(group, version, resource) !== row) continue;
    const names = { plural: resource, singular, shortNames: [...shortNames], kind, listKind };
    const known = byGroup.get(group);
    if (known === undefined) byGroup.set(group, [names]);
    else known.push(names);
  }
  const prefixes = new Set(builtin.flatMap(({ storage }) => storage?.prefix ?? []));
  return {
    names: (group: string) => byGroup.get(group) ?? [],
    overlap: (definition: Definition) => prefixes.has(storagePrefix(definition)),
  };
}
