import type { NodeSelector } from '../../model/generated/core-v1.ts';
import type { ResourcePool } from '../../model/generated/resource-v1.ts';
import { type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';
import { validateNodeSelector } from '../core/pods/affinity-validation.ts';
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

/** Validates the pool of a slice. */
export function validatePool(pool: ResourcePool, field: string): FieldError[] {
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
