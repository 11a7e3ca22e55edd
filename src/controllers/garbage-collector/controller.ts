import { type Controller, type ControllerContext, controllerQueue } from '../controller.ts';
import { controllerUser } from '../identities.ts';
import { Collector } from './collector.ts';
import { OwnerGraph } from './graph.ts';
import type { MetadataSource } from './objects.ts';
import { ReferenceCheck, refersTo } from './references.ts';
import { wrongNamespaceEvent } from './wrong-namespace.ts';

const NAME = 'garbage-collector-controller';
const WORKERS = 20;
/** What stands in keys of work before a uid, which is any text. */
const EXAMINE = 'examine ';
const ORPHAN = 'orphan ';

/** Objects go when all of their owners have gone; owners that wait for their dependents go after them. */
export function garbageCollector(parts: ControllerContext, feed: MetadataSource): Controller {
  const client = parts.client(controllerUser('generic-garbage-collector'));
  const graph = new OwnerGraph(
    { examine: ({ uid }) => queue.add(EXAMINE + uid), orphan: ({ uid }) => queue.add(ORPHAN + uid) },
    (dependent, reference, owner) =>
      refersTo(feed.findKind(reference.apiVersion, reference.kind), dependent, reference, owner),
  );
  const onWrongNamespace = wrongNamespaceEvent(parts, client, NAME);
  const references = new ReferenceCheck({ client, graph, feed, onWrongNamespace });
  const collector = new Collector(client, graph, references, (uid) => queue.add(EXAMINE + uid));
  const work = async (key: string): Promise<'done'> => {
    await (key.startsWith(ORPHAN)
      ? collector.orphan(key.slice(ORPHAN.length))
      : collector.examine(key.slice(EXAMINE.length)));
    return 'done';
  };
  const queue = controllerQueue(parts, NAME, work, WORKERS);
  feed.listen(graph);
  return { name: NAME, sources: [feed], queue };
}
