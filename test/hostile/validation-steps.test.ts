import { describe, expect, it } from 'vitest';
import { countingParts } from '../../src/codec/parts.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { findErrors } from '../../src/kinds/validation/find-errors.ts';
import { type KubernetesObject, RawJson } from '../../src/model/object.ts';
import { type FieldError, formatFieldError } from '../../src/status/field-error.ts';
import { replay } from '../../src/steps/replay.ts';
import { runNow } from '../../src/steps/run.ts';
import { contextOf } from '../kinds/run-strategy.ts';
import { BUILTIN_RESOURCES } from '../support/builtin-kinds.ts';
import { strategyOf } from '../support/builtin-resources.ts';
import { type HostileBody, hostileBodies } from '../support/hostile-bodies.ts';
import { kindType } from '../support/types.ts';

/** Items of the repeated part of a body. */
const ITEMS = 100;
/** Bodies per kind, evenly chosen: kinds with a pod template have more than a thousand. */
const BODIES = 24;
/** Cost of a run of a validation that pauses, in proportion to the smaller bodies. */
const COST_PER_RUN = 64;
/** Members of the object that one step may read per part of the object: 100,000 parts take some milliseconds. */
const READS_PER_PART = 20;
/** Reads that do not depend on the size of the object. */
const FIXED_READS = 600;

/** The object as proxies that count the reads of their members. */
function counted(object: object, reads: { count: number }): object {
  const proxies = new WeakMap<object, object>();
  const handler: ProxyHandler<object> = {
    get(target, key) {
      reads.count += 1;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'object' && value !== null ? proxyOf(value) : value;
    },
  };
  const proxyOf = (target: object): object => {
    if (target instanceof RawJson) return target;
    let proxy = proxies.get(target);
    if (proxy === undefined) {
      proxy = new Proxy(target, handler);
      proxies.set(target, proxy);
    }
    return proxy;
  };
  return proxyOf(object);
}

/** The most reads between two yields of the validation, and the parts of the object. */
function work(
  validate: (object: KubernetesObject) => unknown,
  object: KubernetesObject,
): { most: number; parts: number } {
  const reads = { count: 0 };
  // One proxy for all runs: they recognize lists by identity.
  const proxy = counted(object, reads) as KubernetesObject;
  const steps = replay(() => validate(proxy), COST_PER_RUN);
  let most = 0;
  for (;;) {
    const { done } = steps.next();
    most = Math.max(most, reads.count);
    reads.count = 0;
    if (done === true) return { most, parts: runNow(countingParts(object, Number.POSITIVE_INFINITY)) };
  }
}

/** Maximum errors of a validation in these tests. */
const ERRORS = 15;
/** Kinds that do not create their errors in the order in which they report them. */
const OTHER_ORDER = new Set([
  'CustomResourceDefinition',
  'FlowSchema',
  'HorizontalPodAutoscaler',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);

/** Errors of a validation that ends soon after it has found some. */
function firstErrors(validate: () => readonly FieldError[]): readonly FieldError[] {
  const steps = findErrors(validate, { costPerRun: 16, maximumErrors: ERRORS });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const KINDS = BUILTIN_RESOURCES.flatMap((row) => {
  const type = kindType(row.group, row.version, row.kind);
  const strategy = row.storage === undefined ? undefined : strategyOf(row.group, row.resource);
  return strategy?.validate === undefined || type === undefined
    ? []
    : [{ name: `${row.group}/${row.version} ${row.kind}`, type, strategy, row }];
});

describe('one step reads a bounded number of members per part of the object, and many errors end it', () => {
  it.each(KINDS)('$name', async ({ type, strategy, row }) => {
    await strategy.load?.();
    const context = contextOf({ group: row.group, version: row.version, resource: row.resource });
    const tooMuch: string[] = [];
    const check = ({ path, parts: contents, make }: HostileBody): void => {
      const object = fromPlain(type, make(ITEMS)).value as KubernetesObject;
      strategy.defaulting?.byVersion?.[row.version]?.(object);
      const { most, parts } = work((given) => strategy.validate!(given, context), object);
      if (most > FIXED_READS + READS_PER_PART * parts)
        tooMuch.push(`${path} ${contents}: ${most} of ${parts}`);
    };
    const wrong: string[] = [];
    const compare = ({ path, parts: contents, make }: HostileBody): void => {
      const object = fromPlain(type, make(ITEMS)).value as KubernetesObject;
      strategy.defaulting?.byVersion?.[row.version]?.(object);
      const expected = strategy.validate!(object, context).map(formatFieldError);
      const found = firstErrors(() => strategy.validate!(object, context)).map(formatFieldError);
      const ends = expected.length >= ERRORS;
      const isEqual = ends
        ? found.length >= ERRORS &&
          (OTHER_ORDER.has(row.kind) || found.every((text, at) => text === expected[at]))
        : found.join() === expected.join();
      if (!isEqual) wrong.push(`${path} ${contents}`);
    };
    const bodies = [...hostileBodies(type)];
    const stride = Math.max(1, Math.floor(bodies.length / BODIES));
    for (let index = 0; index < bodies.length; index += stride) {
      check(bodies[index]!);
      compare(bodies[index]!);
    }
    expect(tooMuch).toEqual([]);
    expect(wrong).toEqual([]);
  });
});
