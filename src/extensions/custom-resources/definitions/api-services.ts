import type { CacheRecord } from '../../../cache/record.ts';
import { parseJson } from '../../../codec/json-parse.ts';
import type { APIService, APIServiceSpec } from '../../../model/generated/apiregistration-v1.ts';
import { create } from '../../../operations/create.ts';
import { remove } from '../../../operations/delete.ts';
import { update } from '../../../operations/update.ts';
import type { RecordView } from '../../../reader/record-view.ts';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../../reconcile/work-queue.ts';
import { wrapDecodeError } from '../../../resources/corrupt-object.ts';
import type { ServedResource } from '../../../resources/served-resource.ts';
import type { UnreadableKinds } from '../../../resources/unreadable-kinds.ts';
import { ApiError } from '../../../status/index.ts';
import type { LoopContext } from './control-loops.ts';
import type { Definition } from './definition.ts';

const LABEL = 'kube-aggregator.kubernetes.io/automanaged';
/** The label's value for APIServices that always follow the definitions. */
const MANAGED = 'true';
const GROUP_PRIORITY = 1000;
const VERSION_PRIORITY = 100;
const WORKERS = 4;

/** The part of an APIService that decides whether it must change. */
export interface StoredApiService {
  readonly uid: string;
  /** Whether the server maintains it. */
  readonly managed: boolean;
  readonly spec: APIServiceSpec;
}

/** Reads the stored bytes of an APIService. @throws CorruptObjectError */
export function readApiService({ key, value, corruption }: CacheRecord): StoredApiService {
  if (corruption !== undefined) throw corruption;
  const { metadata = {}, spec = {} } = wrapDecodeError(
    key,
    value,
    () => parseJson(value).value,
  ) as APIService;
  return { uid: metadata.uid ?? '', managed: metadata.labels?.[LABEL] === MANAGED, spec };
}

/** A group version, and the definitions that serve it. */
interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly definitions: Set<string>;
}

/**
 * Keeps one APIService for each group version that definitions serve: creates it, also again after its
 * deletion, restores its spec while it has the label, and deletes it with the last served version.
 */
export function apiServiceLoop(
  context: LoopContext,
  resource: ServedResource,
  definitions: RecordView<Definition>,
  apiServices: RecordView<StoredApiService>,
  unreadable: UnreadableKinds,
): WorkQueue {
  const groupVersions = new Map<string, GroupVersion>();
  const queue = controllerQueue(
    context,
    'autoregister',
    (name) => {
      const wanted = groupVersions.get(name);
      const stored = apiServices.get(name);
      // A definition that cannot be read may serve the version.
      if (wanted === undefined && unreadable.errorInGroup(stored?.spec.group ?? '') !== undefined)
        return Promise.resolve('requeue');
      return reconcile(name, wanted, stored, context, resource);
    },
    WORKERS,
  );
  definitions.onChange((definition, current, previous) => {
    const before = servedNames(previous);
    const after = servedNames(current);
    for (const name of before.keys()) {
      if (after.has(name)) continue;
      const known = groupVersions.get(name);
      known?.definitions.delete(definition);
      if (known?.definitions.size === 0) groupVersions.delete(name);
      queue.add(name);
    }
    for (const [name, { group, version }] of after) {
      if (before.has(name)) continue;
      const known = groupVersions.get(name) ?? { group, version, definitions: new Set<string>() };
      known.definitions.add(definition);
      groupVersions.set(name, known);
      queue.add(name);
    }
  });
  apiServices.onChange((name, current, previous) => {
    if (current?.managed === true || previous !== undefined) queue.add(name);
  });
  return queue;
}

/** The names of the APIServices of a definition. */
function servedNames(
  definition: Definition | undefined,
): Map<string, { readonly group: string; readonly version: string }> {
  const names = new Map<string, { readonly group: string; readonly version: string }>();
  for (const { name, served } of definition?.versions ?? [])
    if (served) names.set(`${name}.${definition!.group}`, { group: definition!.group, version: name });
  return names;
}

async function reconcile(
  name: string,
  wanted: GroupVersion | undefined,
  stored: StoredApiService | undefined,
  { operation }: LoopContext,
  resource: ServedResource,
): Promise<WorkResult> {
  if (stored === undefined && wanted === undefined) return 'done';
  if (stored !== undefined && !stored.managed) return 'done';
  try {
    if (wanted === undefined)
      await remove(operation(resource, ''), name, { preconditions: { uid: stored!.uid } });
    else if (stored === undefined)
      await create(operation(resource, ''), {
        apiVersion: resource.apiVersion,
        kind: resource.row.kind,
        metadata: { name, labels: { [LABEL]: MANAGED } },
        spec: specOf(wanted),
      });
    else if (!isSpecOf(wanted, stored.spec))
      await update(operation(resource, ''), {
        name,
        createsWhenMissing: false,
        unconditional: true,
        transform: (current) =>
          current?.metadata?.labels?.[LABEL] === MANAGED
            ? { ...current, spec: { ...specOf(wanted) } }
            : current!,
      });
    return 'done';
  } catch (error) {
    // Another writer was faster; its event causes the next attempt.
    if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return 'done';
    throw error;
  }
}

const specOf = ({ group, version }: GroupVersion) => ({
  group,
  version,
  groupPriorityMinimum: GROUP_PRIORITY,
  versionPriority: VERSION_PRIORITY,
});

function isSpecOf(wanted: GroupVersion, spec: APIServiceSpec): boolean {
  const desired: APIServiceSpec = specOf(wanted);
  const present = Object.keys(spec) as (keyof APIServiceSpec)[];
  return (
    present.length === Object.keys(desired).length &&
    present.every((member) => spec[member] === desired[member])
  );
}
