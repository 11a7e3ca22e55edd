import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { NODES } from '../../reconcile/resources.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { nextSize, secondsOf } from './cluster-size.ts';

const ANNOTATION = 'node.alpha.kubernetes.io/ttl';

/** Tells kubelets by an annotation of their nodes how long they may cache Secrets and ConfigMaps, by the size of the cluster. */
export function nodeTtlController(parts: NamedContext): Controller {
  const nodes = parts.objects(NODES);
  const client = parts.client(parts.user);
  const names = new Set<string>();
  let size = 0;
  const work = async (name: string): Promise<WorkResult> => {
    const node = nodes.get(name);
    const { annotations = {}, uid } = node?.metadata ?? {};
    const seconds = String(secondsOf(size));
    if (node === undefined || annotations[ANNOTATION] === seconds || !isManaged(node.metadata ?? {}))
      return 'done';
    await ignoreSettledErrors(
      client.patch(NODES, '', name, { metadata: { uid, annotations: { [ANNOTATION]: seconds } } }),
    );
    return 'done';
  };
  const queue = controllerQueue(parts, parts.name, work);
  nodes.onChange((name, node) => {
    if (node === undefined) names.delete(name);
    else names.add(name);
    const next = nextSize(size, names.size);
    if (next !== size) for (const other of names) queue.add(other);
    size = next;
    if (node !== undefined) queue.add(name);
  });
  return { name: parts.name, sources: [nodes], queue };
}
