import { type Controller, type ControllerParts, controllerQueue } from '../controller.ts';
import { controllerUser } from '../identities.ts';
import { Collector } from './collector.ts';
import { OwnerGraph } from './graph.ts';
import type { ObjectFeed } from './objects.ts';
import { ReferenceCheck, refersTo } from './references.ts';
import { wrongNamespaceEvent } from './wrong-namespace.ts';

const NAME = 'garbage-collector-controller';
const WORKERS = 20;
/** Stands before the uid of an object whose dependents are to be orphaned. */
const ORPHAN_KEY = 'orphan ';

/** Objects go when all of their owners have gone; owners that wait for their dependents go after them. */
export function garbageCollector(parts: ControllerParts, feed: ObjectFeed): Controller {
  const client = parts.client(controllerUser('generic-garbage-collector'));
  const graph = new OwnerGraph({ examine: ({ uid }) => queue.add(uid), orphan: ({ uid }) => queue.add(ORPHAN_KEY + uid) }, (dependent, reference, owner) =>
    refersTo(feed.findKind(reference.apiVersion, reference.kind), dependent, reference, owner),
  );
  const onWrongNamespace = wrongNamespaceEvent(parts, client, NAME);
  const references = new ReferenceCheck({ client, graph, feed, onWrongNamespace });
  const collector = new Collector(client, graph, references, (uid) => queue.add(uid));
  const work = async (key: string): Promise<'done'> => {
    await (key.startsWith(ORPHAN_KEY) ? collector.orphan(key.slice(ORPHAN_KEY.length)) : collector.examine(key));
    return 'done';
  };
  const queue = controllerQueue(parts, NAME, work, WORKERS);
  feed.listen(graph);
  return { name: NAME, sources: [feed], queue };
}
