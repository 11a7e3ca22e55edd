import type { Container, PodSpec } from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { compareQuantityTexts } from '../../validation/quantities.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { RESIZABLE_RESOURCES } from './pod-spec-defaults.ts';

/** The releases that only lower the memory of a container that is restarted for it. */
const KEEPS_MEMORY: Life = { until: '1.34', since: '1.33' };

/**
 * Validates a resize of the containers and sidecars of a pod: only amounts of CPU and memory change.
 * @param before the number of errors that the pod has already
 */
export function validateResizedContainers(
  spec: PodSpec,
  old: PodSpec,
  before: number,
  context: RuleContext,
): FieldError[] {
  const misplaced = [
    ...validateOrder(spec.containers, old.containers, 'containers'),
    ...validateOrder(spec.initContainers, old.initContainers, 'initContainers'),
  ];
  if (misplaced.length > 0) return misplaced;
  const errors: FieldError[] = [];
  for (const list of ['initContainers', 'containers'] as const)
    for (const [index, container] of (old[list] ?? []).entries()) {
      if (list === 'initContainers' && !isSidecar(container)) continue;
      const path = `spec.${list}[${index}].resources`;
      errors.push(...validateAmounts(spec[list]?.[index] ?? {}, container, path, context));
    }
  const allowed: PodSpec = {
    ...spec,
    containers: spec.containers?.map((container, index) =>
      withOldAmounts(container, old.containers?.[index]),
    ),
    initContainers: spec.initContainers?.map((container, index) =>
      isSidecar(container) ? withOldAmounts(container, old.initContainers?.[index]) : container,
    ),
  };
  errors.push(...validateOthers(allowed, old));
  if (before + errors.length > 0) return errors;
  return semanticEqual(allowed, old, internalTypes.type('core_v1.PodSpec'))
    ? []
    : [forbidden('spec', 'only cpu and memory resources are mutable')];
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

function validateOrder(
  containers: readonly Container[] = [],
  old: readonly Container[] = [],
  list: string,
): FieldError[] {
  if (containers.length !== old.length)
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return old.flatMap(({ name }, index) =>
    containers[index]!.name === name
      ? []
      : [forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

/** Rejects a resize that removes an amount, or that lowers one that cannot be lowered. */
function validateAmounts(
  { resources, resizePolicy = [] }: Container,
  { resources: old }: Container,
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const removed = (['requests', 'limits'] as const).flatMap((list) => {
    const amounts = resources?.[list] ?? {};
    return Object.keys(old?.[list] ?? {}).every((name) => Object.hasOwn(amounts, name))
      ? []
      : [forbidden(`${field}.${list}`, `resource ${list} cannot be removed`)];
  });
  const policy =
    resizePolicy.find(({ resourceName }) => resourceName === 'memory')?.restartPolicy || 'NotRequired';
  const [limit, oldLimit] = [resources?.limits?.['memory'], old?.limits?.['memory']];
  if (!has(KEEPS_MEMORY) || policy !== 'NotRequired' || limit === undefined) return removed;
  if (oldLimit !== undefined && compareQuantityTexts(limit, oldLimit) >= 0) return removed;
  const change = oldLimit === undefined ? 'added' : 'decreased';
  return [
    ...removed,
    forbidden(
      `${field}.limits[memory]`,
      `memory limits cannot be ${change} unless resizePolicy is RestartContainer`,
    ),
  ];
}

/** The container with the old amounts of CPU and memory. */
const withOldAmounts = (container: Container, old: Container | undefined): Container => ({
  ...container,
  resources: {
    limits: withOldList(container.resources?.limits, old?.resources?.limits),
    requests: withOldList(container.resources?.requests, old?.resources?.requests),
  },
});

/** A list that was absent may be added, whatever it contains. */
export function withOldList(
  amounts: Readonly<Record<string, string>> | undefined,
  old: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  if (old === undefined) return undefined;
  const isKept = ([name]: [string, string]): boolean => !RESIZABLE_RESOURCES.includes(name);
  return Object.fromEntries([
    ...Object.entries(amounts ?? {}).filter(isKept),
    ...Object.entries(old).filter((entry) => !isKept(entry)),
  ]);
}

/** Rejects containers that change in other ways. @param allowed the new specification with the old amounts */
function validateOthers(allowed: PodSpec, old: PodSpec): FieldError[] {
  const isSame = (list: 'containers' | 'initContainers', index: number): boolean =>
    semanticEqual(allowed[list]?.[index], old[list]?.[index], internalTypes.type('core_v1.Container'));
  return [
    ...(allowed.containers ?? []).flatMap((_container, index) =>
      isSame('containers', index) ? [] : [forbidden('spec', 'only cpu and memory resources are mutable')],
    ),
    ...(allowed.initContainers ?? []).flatMap((container, index) =>
      isSame('initContainers', index)
        ? []
        : [
            forbidden(
              'spec',
              isSidecar(container)
                ? 'only cpu and memory resources for sidecar containers are mutable'
                : 'resources for non-sidecar init containers are immutable',
            ),
          ],
    ),
  ];
}
