import type { NodeSelector } from '../../model/generated/core-v1.ts';
import type { ResourcePool, ResourceSliceSpec } from '../../model/generated/resource-v1.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';
import { validateNodeSelector } from '../core/pods/affinity-validation.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { validateImmutable } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { validatePoolName } from './qualified-names.ts';

/** Validates a node selector: it has one term, so that selectors of several slices can be combined. */
export function validateSliceSelector(selector: NodeSelector, field: string): FieldError[] {
  const { nodeSelectorTerms = [] } = selector;
  return [
    ...validateNodeSelector(selector as Parameters<typeof validateNodeSelector>[0], field, {
      checksValues: true,
    }),
    ...(nodeSelectorTerms.length === 1
      ? []
      : [
          invalidFormatted(
            `${field}.nodeSelectorTerms`,
            formatGo('[]core.NodeSelectorTerm', selector.nodeSelectorTerms),
            'must have exactly one node selector term',
          ),
        ]),
  ];
}

type Owner = Pick<ResourceSliceSpec, 'driver' | 'pool' | 'nodeName'>;

/**
 * Validates the driver and the pool of a slice in either form; they and the node do not change.
 * @param old undefined for a new slice
 */
export function validateDriverAndPool(
  { driver = '', pool = {}, nodeName = '' }: Owner,
  old: Owner | undefined,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateDriverName(driver, 'spec.driver', context),
    ...validatePool(pool, 'spec.pool'),
    ...(old === undefined
      ? []
      : [
          ...validateImmutable(pool.name ?? '', old.pool?.name ?? '', 'spec.pool.name'),
          ...validateImmutable(driver, old.driver ?? '', 'spec.driver'),
          ...validateImmutable(nodeName, old.nodeName ?? '', 'spec.nodeName'),
        ]),
  ];
}

/** Validates the pool of a slice. */
function validatePool(pool: ResourcePool, field: string): FieldError[] {
  const { name = '', generation = 0, resourceSliceCount = 0 } = pool;
  return [
    ...validatePoolName(pool, name, `${field}.name`),
    ...(resourceSliceCount <= 0
      ? [invalid(`${field}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero')]
      : []),
    ...(generation < 0
      ? [invalid(`${field}.generation`, generation, 'must be greater than or equal to zero')]
      : []),
  ];
}
