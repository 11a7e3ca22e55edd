import type { PriorityClass } from '../../model/generated/scheduling-v1.ts';
import { errors } from '../../status/errors.ts';
import { type FieldError, forbidden, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateImmutable, validateOneOf } from '../validation/fields.ts';
import { bootstrapPriorityClasses, MAXIMUM_USER_PRIORITY } from './bootstrap-classes.ts';

const SYSTEM_PREFIX = 'system-';
const systemClass = (name: string): PriorityClass | undefined =>
  bootstrapPriorityClasses().find(({ metadata }) => metadata?.name === name);

function setDefaults(object: PriorityClass): void {
  object.preemptionPolicy ??= 'PreemptLowerPriority';
}

/** Checks a class with the reserved prefix; returns an error unless it equals a system class. */
function systemNameError({ metadata, value = 0, globalDefault = false }: PriorityClass): string | undefined {
  const name = metadata?.name ?? '';
  const known = systemClass(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known.value !== value) return `value of ${name} PriorityClass must be ${known.value}`;
  return (known.globalDefault ?? false) === globalDefault
    ? undefined
    : `globalDefault of ${name} PriorityClass must be ${known.globalDefault ?? false}`;
}

const validatePreemptionPolicy = (policy: string): FieldError[] =>
  policy === ''
    ? [required('preemptionPolicy')]
    : validateOneOf(policy, ['PreemptLowerPriority', 'Never'], 'preemptionPolicy');

function validate(object: PriorityClass): FieldError[] {
  const { metadata, value = 0, preemptionPolicy } = object;
  const errorsOfPolicy = preemptionPolicy === undefined ? [] : validatePreemptionPolicy(preemptionPolicy);
  if (metadata?.name?.startsWith(SYSTEM_PREFIX)) {
    const text = systemNameError(object);
    const reserved = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${text}`;
    return [...(text === undefined ? [] : [forbidden('metadata.name', reserved)]), ...errorsOfPolicy];
  }
  const tooHigh =
    value > MAXIMUM_USER_PRIORITY
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${MAXIMUM_USER_PRIORITY}`)]
      : [];
  return [...tooHigh, ...errorsOfPolicy];
}

export const priorityClassStrategy: Strategy = {
  defaulting: { byVersion: { v1: setDefaults } },
  validate,
  validateUpdate: (object: PriorityClass, old: PriorityClass) => [
    ...((object.value ?? 0) === (old.value ?? 0)
      ? []
      : [forbidden('value', 'may not be changed in an update.')]),
    ...validateImmutable(object.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
  ],
  managesGeneration: true,
  // Changes never increment the generation.
  generationChanged: () => false,
  deletion: {
    byName: {
      check({ metadata }, { group, resource }) {
        const name = metadata?.name ?? '';
        if (systemClass(name) !== undefined)
          throw errors.forbidden(
            { group, resource },
            name,
            'this is a system priority class and cannot be deleted',
          );
      },
    },
  },
};

export const priorityClasses = defineResource({
  group: 'scheduling.k8s.io',
  versions: ['v1'],
  resource: 'priorityclasses',
  kind: 'PriorityClass',
  shortNames: ['pc'],
  scope: 'Cluster',
  strategy: priorityClassStrategy,
  table: table<PriorityClass>(
    [
      NAME,
      column('Value', 'The priority.', 'integer'),
      column('Global-Default', 'Whether pods without a class get this one.', 'boolean'),
      AGE,
      column('PreemptionPolicy', 'Whether pods of the class preempt lower priorities.'),
    ],
    (object) => [
      nameOf(object),
      object.value ?? 0,
      object.globalDefault ?? false,
      ageOf(object),
      object.preemptionPolicy ?? '',
    ],
  ),
});
