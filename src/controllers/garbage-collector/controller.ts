import type { Resource } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import type { RemoteKinds } from '../remote-kinds.ts';
import { AllMetadata } from './all-metadata.ts';
import { Collector } from './collector.ts';
import { OwnerGraph } from './graph.ts';
import type { MetadataListener, MetadataSource } from './objects.ts';
import { ReferenceCheck, refersTo } from './references.ts';
import { RemoteMetadata } from './remote-metadata.ts';
import { UnknownOwners } from './unknown-owners.ts';
import { WaitingReferences } from './waiting-references.ts';
import { wrongNamespaceEvent } from './wrong-namespace.ts';

const WORKERS = 20;
/** Prefixes of queue keys, followed by a uid. */
const EXAMINE = 'examine ';
const ORPHAN = 'orphan ';

export interface GarbageCollectorOptions {
  /** The objects of this server. */
  readonly stored: MetadataSource;
  /** The kinds of extension servers. */
  readonly kinds: RemoteKinds;
  /** Keeps objects whose owners were never stored. */
  readonly keepsUnknownOwners: boolean;
}

/** Deletes objects whose owners no longer exist, and completes foreground deletion after the dependents. */
export function garbageCollector(
  parts: NamedContext,
  { stored, kinds, keepsUnknownOwners }: GarbageCollectorOptions,
): Controller {
  const client = parts.client(parts.user);
  const { clock, logger } = parts;
  const onError = ({ group, resource }: Resource, error: unknown): void =>
    logger.detail(2, 'garbage collector failed to follow objects of an extension server; retrying', {
      resource: `${resource}.${group}`,
      err: (error as Error).message,
    });
  const source = new AllMetadata(stored, new RemoteMetadata({ client, kinds, clock, onError }), kinds);
  const waiting = new WaitingReferences();
  const graph = new OwnerGraph(
    {
      examine: ({ uid }) => queue.add(EXAMINE + uid),
      orphan: ({ uid }) => queue.add(ORPHAN + uid),
      drop: ({ uid }) => waiting.delete(uid),
    },
    (dependent, reference, owner) =>
      refersTo(source.findKind(reference.apiVersion, reference.kind), dependent, reference, owner),
  );
  const onWrongNamespace = wrongNamespaceEvent(parts, client, parts.name);
  const unknownOwners = keepsUnknownOwners ? new UnknownOwners(logger) : undefined;
  const references = new ReferenceCheck({ graph, source, onWrongNamespace, unknownOwners });
  const enqueue = (uid: string): void => queue.add(EXAMINE + uid);
  const collector = new Collector({ client, graph, references, source, waiting, enqueue });
  const work = async (key: string): Promise<'done'> => {
    await (key.startsWith(ORPHAN)
      ? collector.orphan(key.slice(ORPHAN.length))
      : collector.examine(key.slice(EXAMINE.length)));
    return 'done';
  };
  const queue = controllerQueue(parts, parts.name, work, WORKERS);
  const listener: MetadataListener = {
    startListing: () => graph.startListing(),
    put: (object) => graph.put(object),
    remove(object) {
      unknownOwners?.noteDeletion(object);
      graph.remove(object);
    },
    finishListing: () => graph.finishListing(),
    forgetKind: (store) => graph.forgetKind(store),
    addKinds() {
      const isKnown = (apiVersion: string, kind: string) => source.findKind(apiVersion, kind) !== undefined;
      for (const uid of waiting.take(isKnown)) enqueue(uid);
    },
  };
  source.listen(listener);
  return { name: parts.name, sources: [source], queue };
}
