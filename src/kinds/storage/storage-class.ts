import { DEFAULT_STORAGE_CLASS_ANNOTATIONS } from '../../model/annotations.ts';
import type { TopologySelectorTerm } from '../../model/generated/core-v1.ts';
import type { StorageClass } from '../../model/generated/storage-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalidFormatted,
  required,
} from '../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { nodeLabelDeprecation } from '../core/pods/pod-warnings.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, table } from '../tables/define.ts';
import { nameOfClass } from '../tables/format.ts';
import { validateParameters, validatePluginName } from '../validation/drivers.ts';
import { findDuplicateStrings, findDuplicates } from '../validation/duplicates.ts';
import { IMMUTABLE, validateImmutable, validateOneOf } from '../validation/fields.ts';
import { validateLabelName } from '../validation/labels.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

function setDefaults(object: StorageClass): void {
  object.reclaimPolicy ??= 'Delete';
  object.volumeBindingMode ??= 'Immediate';
}

function validate({
  provisioner = '',
  parameters,
  reclaimPolicy,
  volumeBindingMode,
  allowedTopologies,
}: StorageClass): FieldError[] {
  return [
    ...validatePluginName(provisioner, 'provisioner'),
    ...validateParameters(parameters, 'parameters'),
    ...(reclaimPolicy ? validateOneOf(reclaimPolicy, ['Delete', 'Retain'], 'reclaimPolicy') : []),
    ...(volumeBindingMode === undefined
      ? [required('volumeBindingMode')]
      : validateOneOf(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode')),
    ...validateTopologies(allowedTopologies ?? [], 'allowedTopologies'),
  ];
}

/** Identity of a term, independent of the order of keys and values. */
function identityOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const values = new Map<string, readonly string[]>();
  for (const { key = '', values: of = [] } of matchLabelExpressions)
    if (!values.has(key)) values.set(key, [...new Set(of)].sort());
  return JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Validates topologies: terms, keys of a term and values of a key are unique. */
function validateTopologies(terms: readonly TopologySelectorTerm[], field: string): FieldError[] {
  const found = new Map<string, number>();
  const earlier = resultsOfEach(terms, { place: 'identity', cost: 2 }, identityOf).map((identity) => {
    const equal = found.get(identity) ?? 0;
    found.set(identity, equal + 1);
    return equal;
  });
  return checkEach(terms, { place: field, cost: 2 }, (term, index) => {
    const path = `${field}[${index}].matchLabelExpressions`;
    const isEmpty = (term.matchLabelExpressions ?? []).length === 0;
    const equal = earlier[index]!;
    const errors = validateTopologyTerm(term, path);
    // One error for each earlier term that is equal; kube-apiserver begins with as many empty terms.
    for (let count = isEmpty ? terms.length + equal : equal; count > 0; count -= 1)
      errors.push(duplicate(path, ''));
    return errors;
  });
}

function validateTopologyTerm(
  { matchLabelExpressions = [] }: TopologySelectorTerm,
  field: string,
): FieldError[] {
  const repeatedKeys = findDuplicates(matchLabelExpressions, ({ key = '' }) => key);
  return checkEach(matchLabelExpressions, { place: field, cost: 2 }, ({ key = '', values = [] }, index) => {
    const repeated = findDuplicateStrings(values);
    const path = `${field}[${index}]`;
    return [
      ...(values.length === 0 ? [required(`${path}.values`)] : []),
      ...checkEach(values, { place: path }, (value, place) =>
        repeated.has(place) ? [duplicate(`${path}.values[${place}]`, value)] : [],
      ),
      ...validateLabelName(key, `${path}.key`),
      ...(repeatedKeys.has(index) ? [duplicate(`${path}.key`, key)] : []),
    ];
  });
}

/** The releases in which what cannot change is an invalid value. */
const REPORTS_VALUE: Life = { since: '1.36' };

function validateUpdate(object: StorageClass, old: StorageClass, { has }: RuleContext): FieldError[] {
  const fixed = (['parameters', 'provisioner', 'reclaimPolicy'] as const).filter(
    (name) => !semanticEqual(object[name], old[name]),
  );
  return [
    ...validate(object),
    ...fixed.map((name) =>
      has(REPORTS_VALUE)
        ? invalidFormatted(name, formatImmutable(object[name]), IMMUTABLE)
        : forbidden(name, `updates to ${name} are forbidden.`),
    ),
    ...validateImmutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode'),
  ];
}

const warnings = ({ allowedTopologies = [] }: StorageClass): string[] =>
  allowedTopologies.flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key = '' }, index) => {
      const text = nodeLabelDeprecation(key);
      return text === undefined
        ? []
        : [`allowedTopologies[${term}].matchLabelExpressions[${index}].key: ${text}`];
    }),
  );

const formatImmutable = (value: StorageClass['provisioner' | 'parameters']): string =>
  JSON.stringify(value ?? null);

export const storageClassStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change'] } },
  defaulting: { byVersion: { v1: setDefaults } },
  validate,
  validateUpdate,
  warnings,
  deletion: { returnsObject: true },
};

export const storageClasses = defineResource({
  group: 'storage.k8s.io',
  versions: ['v1'],
  resource: 'storageclasses',
  kind: 'StorageClass',
  shortNames: ['sc'],
  scope: 'Cluster',
  strategy: storageClassStrategy,
  table: table<StorageClass>(
    [
      NAME,
      column('Provisioner', 'Provisioner of the volumes.'),
      column('ReclaimPolicy', 'What happens to a volume when its claim is deleted.'),
      column('VolumeBindingMode', 'When claims are bound.'),
      column('AllowVolumeExpansion', 'Whether claims can be expanded.'),
      AGE,
    ],
    (object) => [
      nameOfClass(object, ...DEFAULT_STORAGE_CLASS_ANNOTATIONS),
      object.provisioner ?? '',
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? 'Immediate',
      object.allowVolumeExpansion ?? false,
      ageOf(object),
    ],
  ),
});
