import { randomUUID } from 'node:crypto';
import type { LimitRange, LimitRangeItem } from '../../model/generated/core-v1.ts';
import { type KubernetesObject, setMember } from '../../model/object.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { roundResourceList } from '../validation/quantities.ts';
import { validateLimitRange } from './limit-range-validation.ts';

type Amounts = Record<string, string>;

/** Defaults container limits: `default` from `max`, `defaultRequest` from `default`, then from `min`. */
function defaultContainerLimits(item: LimitRangeItem): void {
  item.default = setMissingAmounts(item.default, item.max);
  item.defaultRequest = setMissingAmounts(setMissingAmounts(item.defaultRequest, item.default), item.min);
}

function setMissingAmounts(amounts: Amounts = {}, source: Amounts = {}): Amounts {
  for (const [name, amount] of Object.entries(source))
    if (!Object.hasOwn(amounts, name)) setMember(amounts, name, amount);
  return amounts;
}

function defaultLimitRange(object: KubernetesObject): void {
  for (const item of (object as LimitRange).spec?.limits ?? []) {
    if (item.type === 'Container') defaultContainerLimits(item);
    for (const member of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const)
      roundResourceList(item[member]);
  }
}

export const limitRangeStrategy: Strategy = {
  metadata: { checks: { update: ['whole'] } },
  defaulting: { byVersion: { v1: defaultLimitRange } },
  prepareForCreate({ metadata }) {
    // LimitRange is the only kind without a required name; an absent one is generated.
    if (!metadata!.name) metadata!.name = randomUUID();
  },
  validate: (object) => validateLimitRange(object as LimitRange),
  validateUpdate: (object) => validateLimitRange(object as LimitRange),
  createsOnUpdate: true,
};

export const limitRanges = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'limitranges',
  kind: 'LimitRange',
  shortNames: ['limits'],
  strategy: limitRangeStrategy,
});
