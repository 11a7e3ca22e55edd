import {
  FieldManager,
  fieldSetOf,
  SCALE_VERSION,
  type ScaledKind,
  scaledOwnersInSteps,
  scaleOwnersInSteps,
} from '../apply/index.ts';
import {
  type KubernetesObject,
  type ManagedFieldsEntry,
  memberAt,
  parseApiVersion,
} from '../model/object.ts';
import { builtinSchema } from '../registry/object-schema.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { Steps } from '../steps/steps.ts';

/** The manager of the fields of a Scale. Its entries have no time: the times of a Scale are not stored. */
export function scaleFieldManager(): FieldManager {
  const schema = builtinSchema('autoscaling', 'v1', 'Scale')!;
  return new FieldManager({
    apiVersion: SCALE_VERSION,
    subresource: 'scale',
    ignored: fieldSetOf(),
    shape: (apiVersion) => (apiVersion === SCALE_VERSION ? schema.shape : undefined),
    convert: (given) => given,
    toPlain: (given) => schema.toPlain(given, { apiVersion: SCALE_VERSION, kind: 'Scale' }),
    fromPlain: (plain) => schema.fromPlain(plain).value,
    now: () => undefined,
  });
}

type Entries = ManagedFieldsEntry[] | undefined;

/** The owners of the Scale of an object with these owners, in steps. */
export const ownersOfScaleInSteps = (resource: ServedResource, entries: Entries): Steps<Entries> =>
  scaleOwnersInSteps(scaledKind(resource), entries);

/** The owners of an object after a write of its Scale, from those of both, in steps. */
export const ownersOfScaledInSteps = (
  resource: ServedResource,
  entries: Entries,
  ofScale: Entries,
): Steps<Entries> => scaledOwnersInSteps(scaledKind(resource), entries, ofScale);

/** The kind of a resource, for the owners of its Scales. */
function scaledKind({ apiVersion, row, strategy, conversion, schema }: ServedResource): ScaledKind {
  return {
    apiVersion,
    replicas: strategy.scale!.specPath,
    hasVersion: (version) =>
      schema.isUntyped
        ? conversion.schemaIn(version) !== undefined
        : parseApiVersion(version)?.group === row.group,
  };
}

/** The owners of an object after an update of its Scale by a manager. */
export function* ownersAfterScalingInSteps(
  resource: ServedResource,
  object: KubernetesObject,
  old: KubernetesObject,
  manager: string,
): Steps<Entries> {
  const kind = scaledKind(resource);
  const entries = old.metadata?.managedFields;
  const before = replicasOf(old, kind);
  before.metadata = { managedFields: yield* scaleOwnersInSteps(kind, entries) };
  const after = replicasOf(object, kind);
  const ofScale = yield* scaleFieldManager().updatedInSteps(before, after, manager);
  return yield* scaledOwnersInSteps(kind, entries, ofScale);
}

/** A Scale with the replicas of an object, unless they are 0. */
function replicasOf(object: KubernetesObject, { replicas: path }: ScaledKind): KubernetesObject {
  const replicas = memberAt(object, path);
  return { spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {} };
}
