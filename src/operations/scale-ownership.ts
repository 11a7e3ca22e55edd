import {
  FieldManager,
  fieldSetOf,
  SCALE_VERSION,
  type ScaledKind,
  scaledOwners,
  scaleOwners,
} from '../apply/index.ts';
import {
  type KubernetesObject,
  type ManagedFieldsEntry,
  memberAt,
  parseApiVersion,
} from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import type { TypeModel } from '../model/type-model.ts';
import { builtinSchema } from '../resources/object-schema.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import { runIfLarge } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';
import type { FormOwners } from './admitted-kind.ts';
import type { FieldOwnership } from './environment.ts';
import { setEntries } from './ownership.ts';

/**
 * The manager of the fields of a Scale.
 * @param types of the release
 * @param now milliseconds since 1970; admission sees the time, which is not stored
 */
export function scaleFieldManager(types: TypeModel, now: () => number): FieldManager {
  const schema = builtinSchema(types, 'autoscaling', 'v1', 'Scale')!;
  return new FieldManager({
    apiVersion: SCALE_VERSION,
    subresource: 'scale',
    ignored: fieldSetOf(),
    shape: (apiVersion) => (apiVersion === SCALE_VERSION ? schema.shape : undefined),
    convert: (given) => given,
    toPlain: (given) => schema.toPlain(given, { apiVersion: SCALE_VERSION, kind: 'Scale' }),
    fromPlain: (plain) => schema.fromPlain(plain).value,
    now: () => formatTime(now()),
  });
}

type Entries = ManagedFieldsEntry[] | undefined;

/** The owners of the Scale of an object with these owners, in steps. */
export const ownersOfScaleInSteps = (resource: ServedResource, entries: Entries): Steps<Entries> =>
  scaleOwners(scaledKind(resource), entries);

/** The owners of an object after a write of its Scale, from those of both, in steps. */
export const ownersOfScaledInSteps = (
  resource: ServedResource,
  entries: Entries,
  ofScale: Entries,
): Steps<Entries> => scaledOwners(scaledKind(resource), entries, ofScale);

/** The kind of a resource, for the owners of its Scales. */
function scaledKind({ apiVersion, row, strategy }: ServedResource): ScaledKind {
  const scale = strategy.scale!;
  const { specPath } = scale;
  return {
    apiVersion,
    replicas: specPath,
    replicasIn: (version) =>
      scale.specPathIn === undefined
        ? parseApiVersion(version)?.group === row.group
          ? specPath
          : undefined
        : scale.specPathIn(version),
  };
}

/** The owners of a Scale while it is written. */
export type MutableOwners = { -readonly [Name in keyof FormOwners]: FormOwners[Name] };

/**
 * Records the owners of objects whose Scales are updated.
 * @param owners receives those of the Scale
 */
export const scaleOwnership = (owners: MutableOwners): FieldOwnership => ({
  created: () => undefined,
  updated: async (context, object, old) => {
    const { request, resource, environment, fieldManager: manager } = context;
    const kind = scaledKind(resource);
    const entries = old.metadata?.managedFields;
    const before = replicasOf(old, kind);
    owners.before = await runIfLarge(request, scaleOwners(kind, entries));
    setEntries(before, owners.before);
    const fields = scaleFieldManager(resource.types, () => environment.now());
    const after = replicasOf(object, kind);
    owners.after = await runIfLarge(request, fields.updated(before, after, manager));
    setEntries(object, await runIfLarge(request, scaledOwners(kind, entries, owners.after)));
  },
});

/** A Scale with the replicas of an object, unless they are 0. */
function replicasOf(object: KubernetesObject, { replicas: path }: ScaledKind): KubernetesObject {
  const replicas = memberAt(object, path);
  return { spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {} };
}
