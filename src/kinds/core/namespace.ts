import type { Namespace } from '../../model/generated/core-v1.ts';
import { nameIsLabel, qualifiedName } from '../../model/name-syntax.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { invalidTexts } from '../validation/fields.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const FINALIZER = 'kubernetes';
const STANDARD_FINALIZERS = [FINALIZER, 'orphan', 'foregroundDeletion'];

/** Sets the label with the namespace's name, which namespace selectors rely on. */
function setNameLabel({ metadata }: KubernetesObject): void {
  if (metadata?.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
}

function validateFinalizers({ spec }: Namespace, fieldOf: (index: number) => string): FieldError[] {
  return checkEach(spec?.finalizers ?? [], { place: 'finalizers' }, (finalizer, index) => {
    const texts = [...qualifiedName(finalizer)];
    if (!finalizer.includes('/') && !STANDARD_FINALIZERS.includes(finalizer)) {
      texts.push('name is neither a standard finalizer name nor is it fully qualified');
    }
    return invalidTexts(fieldOf(index), finalizer, texts);
  });
}

function validatePhase({ metadata, status }: Namespace): FieldError[] {
  const deleted = metadata?.deletionTimestamp !== undefined;
  const phase = status?.phase ?? '';
  if (phase === (deleted ? 'Terminating' : 'Active')) return [];
  const detail = deleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalid('status.Phase', phase, detail)];
}

export const namespaceStrategy: Strategy = {
  metadata: {
    validateName: nameIsLabel,
    checks: { update: ['whole', 'change'] },
  },
  defaulting: {
    byVersion: {
      v1(object) {
        setNameLabel(object);
        const namespace = object as Namespace;
        namespace.status ??= {};
        namespace.status.phase ||= 'Active';
      },
    },
  },
  prepareForCreate(object) {
    const namespace = object as Namespace;
    setNameLabel(object);
    namespace.status = { phase: 'Active' };
    const finalizers = namespace.spec?.finalizers ?? [];
    namespace.spec = { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] };
  },
  // Only the `finalize` subresource changes finalizers.
  prepareForUpdate(object, old) {
    const { spec } = old as Namespace;
    (object as Namespace).spec = { ...(object as Namespace).spec, finalizers: spec?.finalizers };
  },
  prepareForSubresource: {
    finalize(object, old) {
      (object as Namespace).status = (old as Namespace).status;
    },
  },
  resetFields: { finalize: [['status']] },
  validate: (object) => validateFinalizers(object as Namespace, () => 'spec.finalizers'),
  validateSubresource: {
    status: (object) => validatePhase(object as Namespace),
    finalize: (object) => validateFinalizers(object as Namespace, (index) => `spec.finalizers[${index}]`),
  },
  canonicalize: setNameLabel,
  deletion: {
    byName: { reportsPreconditionsAsUpdate: true, unorphanedPropagation: 'Foreground' },
    // The first DELETE only sets the phase to Terminating, even without finalizers.
    isFinalized: (object) =>
      (object as Namespace).status?.phase === 'Terminating' &&
      ((object as Namespace).spec?.finalizers ?? []).length === 0,
    prepare(object) {
      const { metadata } = object;
      (object as Namespace).status = { ...(object as Namespace).status, phase: 'Terminating' };
      // Namespaces have no grace period, and deletion does not increment their generation.
      delete metadata!.deletionGracePeriodSeconds;
      if (metadata!.generation) metadata!.generation -= 1;
    },
    returnsObject: true,
    documentsStatus: true,
  },
};

export const namespaces = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'namespaces',
  kind: 'Namespace',
  shortNames: ['ns'],
  scope: 'Cluster',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [{ name: 'finalize', verbs: ['update'] }, 'status'],
  strategy: namespaceStrategy,
  fieldSelectors: { 'status.phase': textAt('status', 'phase') },
  table: table<Namespace>([NAME, column('Status', 'Phase of the namespace.'), AGE], (object) => [
    nameOf(object),
    object.status?.phase ?? '',
    ageOf(object),
  ]),
});
