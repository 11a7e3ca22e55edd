import type { Strategy, StrategyContext } from '../../src/kinds/strategy.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { type FieldError, formatFieldError } from '../../src/status/field-error.ts';

const NOW = '2026-01-01T00:00:00Z';

/** Returns a request context with the members that strategies use. */
export const contextOf = (more: Partial<StrategyContext> = {}): StrategyContext => ({
  user: { name: 'tester', groups: [] } as unknown as StrategyContext['user'],
  group: '',
  version: 'v1',
  resource: 'things',
  subresource: '',
  namespace: 'n',
  dryRun: false,
  now: () => NOW,
  has: schemeOf().has,
  isOn: schemeOf().isOnByDefault,
  ...more,
});

const texts = (errors: readonly FieldError[] | undefined): string[] => (errors ?? []).map(formatFieldError);

/** Returns a copy with defaults, in the storage version. */
export function defaulted(strategy: Strategy, object: object, version = 'v1'): KubernetesObject {
  const copy = structuredClone(object) as KubernetesObject;
  copy.metadata = { name: 'x', namespace: 'n', ...copy.metadata };
  strategy.defaulting?.byVersion?.[version]?.(copy);
  return strategy.conversions?.[version]?.toStorage(copy) ?? copy;
}

/** Runs a creation; returns the object as it would be stored, and its errors. */
export function created(
  strategy: Strategy,
  object: object,
  context = contextOf(),
): { object: KubernetesObject; errors: string[] } {
  const result = defaulted(strategy, object, context.version);
  strategy.dropDisabledFields?.(result, undefined, context);
  strategy.prepareForCreate?.(result, context);
  return { object: result, errors: texts(strategy.validate?.(result, context)) };
}

/** Runs an update; returns the object as it would be stored, and its errors. */
export function updated(
  strategy: Strategy,
  object: object,
  old: KubernetesObject,
  context = contextOf(),
): { object: KubernetesObject; errors: string[] } {
  const result = defaulted(strategy, object, context.version);
  const before = structuredClone(old);
  strategy.dropDisabledFields?.(result, before, context);
  if (context.subresource === '') strategy.prepareForUpdate?.(result, before, context);
  else strategy.prepareForSubresource?.[context.subresource]?.(result, before, context);
  const validate =
    context.subresource === ''
      ? strategy.validateUpdate
      : strategy.validateSubresource?.[context.subresource];
  return { object: result, errors: texts(validate?.(result, before, context)) };
}

export const errorsOf = (strategy: Strategy, object: object, context = contextOf()): string[] =>
  created(strategy, object, context).errors;
