import { remove } from '../../operations/delete.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError, errors, invalid } from '../../status/index.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { operationContext } from './create.ts';
import { optionsObject, readDeleteOptions, warnAboutOrphans } from './delete.ts';
import { viewContext } from './get.ts';
import { listOffer, sendList } from './list.ts';
import { checkFieldLabels, type ListOptions, parseListOptions } from './list-options.ts';
import { type ListState, readState } from './read-state.ts';
import { selectionOf } from './selection.ts';

/** Concurrent deletions of a collection whose objects cannot be refused one by one. */
const WORKERS = 16;

/**
 * Handles DELETE of a collection: deletes every selected object by its own rules and returns them as a list.
 */
export async function deleteCollection(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const view = viewContext(context, resource, environment, listOffer(context, resource));
  const listOptions = listToDelete(parseListOptions(context.query, false, environment.features.watchList));
  checkFieldLabels(listOptions, resource.row);
  const options = await readDeleteOptions(context, environment);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true)
    throw errors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
      invalid(
        'ignoreStoreReadErrorWithClusterBreakingPotential',
        true,
        'is not allowed with DELETECOLLECTION, try again after removing the option',
      ),
    ]);
  const namespace = resource.namespaceOf(context.info.namespace);
  const state = await readState(
    resource,
    namespace,
    undefined,
    listOptions,
    selectionOf(resource, listOptions),
    context,
    environment,
  );
  const dryRun = (options.dryRun ?? []).length > 0;
  warnAboutOrphans(context, resource, options);
  // Which objects are left after a refusal, and which calls admission makes, shows the order.
  const { group, resource: plural } = resource.row;
  const inOrder =
    options.preconditions !== undefined ||
    environment.operations.admission.handles('DELETE', group, plural, '');
  const workers = inOrder ? 1 : WORKERS;
  await removeAll(await objectsOf(resource, state), workers, async ({ namespace: itsNamespace, name }) => {
    const operation = operationContext(context, resource, environment, {
      dryRun,
      fieldManager: '',
      fieldValidation: 'Warn',
    });
    try {
      const raw = optionsObject(options);
      await remove({ ...operation, namespace: itsNamespace }, name, options, raw, true);
    } catch (error) {
      // Another client deleted the object first.
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  });
  await sendList(context, view, state);
}

/**
 * The list options of a deletion. A resourceVersion without `resourceVersionMatch` is exact, since kube-apiserver
 * reads the collection in pages.
 */
function listToDelete(options: ListOptions): ListOptions {
  const { resourceVersion, resourceVersionMatch } = options;
  if (resourceVersion === '' || resourceVersion === '0' || resourceVersionMatch !== '') return options;
  return { ...options, resourceVersionMatch: 'Exact' };
}

interface ListedObject {
  readonly namespace: string;
  readonly name: string;
}

async function objectsOf({ stored, namespaced }: ServedResource, state: ListState): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const page of state.pages())
    for (const { key, name } of page)
      found.push({ namespace: namespaced ? stored.namespaceOf(key) : '', name });
  return found;
}

/**
 * Removes all records in their order, so many at once. The first failure stops the others; none is in flight when
 * it is thrown.
 */
async function removeAll(
  queue: readonly ListedObject[],
  workers: number,
  removeOne: (object: ListedObject) => Promise<void>,
): Promise<void> {
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  let next = 0;
  const work = async () => {
    while (next < queue.length && failures.length === 0) {
      const index = next++;
      try {
        await removeOne(queue[index]!);
      } catch (error) {
        failures.push({ index, error });
      }
      // An in-memory store responds in the same iteration of the event loop: yield to other requests.
      await yieldToEventLoop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, work));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first !== undefined) throw first.error;
}
