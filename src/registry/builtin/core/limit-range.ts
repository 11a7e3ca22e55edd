import { randomUUID } from 'node:crypto';
import type { LimitRange, LimitRangeItem } from '../../../model/generated/core-v1.ts';
import { type KubernetesObject, setMember } from '../../../model/object.ts';
import type { Strategy } from '../../strategy.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { validateLimitRange } from './limit-range-validation.ts';

type Amounts = Record<string, string>;

/** Limits of containers fill each other in: default from max, request from default, else from min. */
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
  defaults: { v1: defaultLimitRange },
  prepareForCreate({ metadata }) {
    // The one kind that needs no name: it gets a generated one.
    if (!metadata!.name) metadata!.name = randomUUID();
  },
  validate: (object) => validateLimitRange(object as LimitRange),
  validateUpdate: (object) => validateLimitRange(object as LimitRange),
  createsOnUpdate: true,
};
