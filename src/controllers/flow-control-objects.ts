import { isDeepStrictEqual } from 'node:util';
import { parseGoBoolean } from '../model/go-boolean.ts';
import { MANDATORY_FLOW_CONTROL } from '../model/mandatory-objects.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { ObjectSource } from '../reader/object-source.ts';
import type { Client, Resource } from '../reconcile/client.ts';
import type { Controller, ControllerContext } from '../reconcile/controller.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import { ignoreSettledErrors } from '../reconcile/settled-errors.ts';
import { controllerQueue } from '../reconcile/work-queue.ts';
import { FLOW_SCHEMAS, PRIORITY_LEVELS } from './flow-schemas.ts';

/** The flow schemas and priority levels that every server has. */
export interface FlowControlObjects {
  readonly flowSchemas: readonly KubernetesObject[];
  readonly priorityLevels: readonly KubernetesObject[];
}

/** Whether the server keeps the spec of an object as it is built in. */
const AUTOUPDATE_ANNOTATION = 'apf.kubernetes.io/autoupdate-spec';
const PERIOD_MILLISECONDS = 60_000;
const KEY = 'all';

/**
 * Maintains the built-in flow schemas and priority levels, every minute: creates those that are missing, resets
 * the spec of those with the annotation, and deletes those of earlier releases.
 */
export function flowControlObjectsController(
  parts: ControllerContext,
  { flowSchemas, priorityLevels }: FlowControlObjects,
): Controller {
  const name = 'flow-control-objects';
  const client = parts.client(API_SERVER);
  const schemas = parts.objects(FLOW_SCHEMAS);
  const levels = parts.objects(PRIORITY_LEVELS);
  const queue = controllerQueue(parts, name, async () => {
    await ensure(client, PRIORITY_LEVELS, levels, priorityLevels);
    await ensure(client, FLOW_SCHEMAS, schemas, flowSchemas);
    await removeFormer(client, FLOW_SCHEMAS, schemas, flowSchemas);
    await removeFormer(client, PRIORITY_LEVELS, levels, priorityLevels);
    parts.clock.after(PERIOD_MILLISECONDS, () => queue.add(KEY));
    return 'done';
  });
  queue.add(KEY);
  return { name, sources: [schemas, levels], queue };
}

async function ensure(
  client: Client,
  resource: Resource,
  objects: ObjectSource,
  wanted: readonly KubernetesObject[],
): Promise<void> {
  for (const object of wanted) {
    const name = object.metadata?.name ?? '';
    const current = objects.get(name);
    if (current === undefined) {
      const { annotations } = object.metadata ?? {};
      const created = { metadata: { name, ...(annotations && { annotations }) }, spec: object['spec'] };
      await ignoreSettledErrors(client.create(resource, created));
      continue;
    }
    const revised = revise(current, object['spec']);
    if (revised !== undefined) await ignoreSettledErrors(client.update(resource, revised));
  }
}

/** The object as it should be; undefined if it is. */
function revise(current: KubernetesObject, spec: unknown): KubernetesObject | undefined {
  const { metadata = {} } = current;
  const annotation = metadata.annotations?.[AUTOUPDATE_ANNOTATION] ?? '';
  const updates =
    MANDATORY_FLOW_CONTROL.has(metadata.name ?? '') || updatesSpec(annotation, metadata.generation);
  const annotated = parseGoBoolean(annotation) === updates;
  const isEqual = isDeepStrictEqual(current['spec'], spec);
  if (annotated && (!updates || isEqual)) return undefined;
  const annotations = { ...metadata.annotations, [AUTOUPDATE_ANNOTATION]: String(updates) };
  return {
    ...current,
    metadata: { ...metadata, ...(annotated ? {} : { annotations }) },
    spec: updates ? spec : current['spec'],
  };
}

/** An object without the annotation is the server's as long as nobody has changed its spec. */
const updatesSpec = (annotation: string, generation: number | undefined): boolean =>
  parseGoBoolean(annotation) ?? generation === 1;

/** Deletes objects with the annotation that are not built in any more. */
async function removeFormer(
  client: Client,
  resource: Resource,
  objects: ObjectSource,
  wanted: readonly KubernetesObject[],
): Promise<void> {
  const names = new Set(wanted.map(({ metadata }) => metadata?.name));
  for (const [name, object] of objects.entries()) {
    const metadata = object.metadata();
    if (names.has(name) || parseGoBoolean(metadata.annotations?.[AUTOUPDATE_ANNOTATION] ?? '') !== true)
      continue;
    const { uid, resourceVersion } = object.object.metadata!;
    await ignoreSettledErrors(
      client.delete(resource, '', name, {
        preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
      }),
    );
  }
}
