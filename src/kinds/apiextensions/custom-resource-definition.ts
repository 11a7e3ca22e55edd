import { setCondition } from '../../model/conditions.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import { nameIsSubdomain } from '../../model/name-syntax.ts';
import type { FieldError } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { setWebhookClientDefaults } from '../validation/webhook-client.ts';
import { definitionTable } from './definition-table.ts';
import {
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from './definition-validation.ts';
import { formatWarnings, setWarnings } from './definition-warnings.ts';
import { fromFormerVersion } from './former-version.ts';
import { compilingChecker, type SchemaChecker } from './schema-checker.ts';
import { toServedDefinition, toStoredDefinition } from './stored-form.ts';

/** Finalizer of a definition that is deleted, until all its objects have been removed. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

function setDefaults(object: CustomResourceDefinition): void {
  object.spec ??= {};
  const { spec } = object;
  const { names } = spec;
  if (names?.kind) {
    names.singular ||= names.kind.toLowerCase();
    names.listKind ||= `${names.kind}List`;
  }
  spec.conversion ??= { strategy: 'None' };
  const { webhook } = spec.conversion;
  // The stored form has no place for a webhook without members.
  if (webhook !== undefined && webhook.clientConfig === undefined && !webhook.conversionReviewVersions)
    delete spec.conversion.webhook;
  setWebhookClientDefaults(spec.conversion.webhook?.clientConfig);
}

/**
 * Adds the storage version to `status.storedVersions`; it remains there until a client has migrated the
 * objects.
 */
function recordStorageVersion(object: CustomResourceDefinition): void {
  const version = object.spec?.versions?.find(({ storage }) => storage);
  if (version === undefined) return;
  const { name = '' } = version;
  const stored = object.status?.storedVersions ?? [];
  if (!stored.includes(name)) object.status = { ...object.status, storedVersions: [...stored, name] };
}

function markForDeletion(object: CustomResourceDefinition, now: string): void {
  const metadata = object.metadata!;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(CLEANUP_FINALIZER)) metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  } as const;
  object.status = {
    ...object.status,
    conditions: setCondition(object.status?.conditions, condition, now),
  };
}

/** Validates that the name is `<plural>.<group>`. */
function validateName(name: string, prefix: boolean, { spec = {} }: CustomResourceDefinition = {}): string[] {
  const fits = name === `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  return [...nameIsSubdomain(name, prefix), ...(fits ? [] : ['must be spec.names.plural+"."+spec.group'])];
}

/** Strategy of definitions in the served form; `stored-form.ts` describes the stored form. */
export function customResourceDefinitionStrategy(checker: SchemaChecker): Strategy {
  const validateUpdate = (object: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] => {
    const recorded = { ...object };
    recordStorageVersion(recorded);
    return validateDefinitionUpdate(recorded, old, checker);
  };
  return {
    metadata: {
      allowsUnqualifiedFinalizers: true,
      validateName,
    },
    load: async () => checker.load?.(),
    defaulting: { byVersion: { v1: setDefaults } },
    prepareForCreate(object: CustomResourceDefinition) {
      object.status = {};
      recordStorageVersion(object);
    },
    validate: (object: CustomResourceDefinition) => validateDefinition(object, checker),
    fromFormerVersion,
    storageEncoding: { toStored: toStoredDefinition, fromStored: toServedDefinition },
    validateUpdate,
    warnings: (object: CustomResourceDefinition, old: CustomResourceDefinition | undefined, context) => [
      ...formatWarnings(object, old, context),
      ...setWarnings(object, old, context),
    ],
    validateSubresource: { status: validateDefinitionStatus },
    // An update of the status writes metadata, but managedFields does not record it.
    resetFields: { status: [['metadata'], ['spec']] },
    canonicalize(object: CustomResourceDefinition, subresource = '') {
      // A status update may remove the storage version from storedVersions, but must not leave the list empty.
      if (subresource === '' || (object.status?.storedVersions ?? []).length === 0)
        recordStorageVersion(object);
    },
    managesGeneration: true,
    requiresResourceVersion: true,
    deletion: {
      byName: { mark: markForDeletion, reportsPreconditionsAsUpdate: true },
    },
  };
}

export const customResourceDefinitions = defineResource({
  group: 'apiextensions.k8s.io',
  versions: ['v1'],
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  scope: 'Cluster',
  subresources: ['status'],
  storage: {
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    prefix: 'apiextensions.k8s.io/customresourcedefinitions',
    encoding: 'json',
  },
  strategy: ({ has }) => customResourceDefinitionStrategy(compilingChecker(has)),
  table: definitionTable,
});
