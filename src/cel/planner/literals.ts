import { ErrorValue } from '../values/error-value.ts';
import { ArrayList } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { OptionalValue } from '../values/optional.ts';
import { isError, runtimeTypeName, type Value } from '../values/value.ts';
import { computedStep, constantStep, type Step } from './step.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const BAD_KEY = new ErrorValue('unsupported key type');

/** A list literal: a constant when all its elements are. */
export function planList(elements: readonly Step[], optionalIndices: readonly number[]): Step {
  if (elements.every((element) => element.kind === 'constant'))
    return constantStep(new ArrayList(elements.map(({ value }) => value)));
  const optional = new Set(optionalIndices);
  const parts = elements.map(({ evaluate }, index) => ({ evaluate, optional: optional.has(index) }));
  return computedStep((frame) => {
    const values: Value[] = [];
    let failed: ErrorValue | undefined;
    for (const part of parts) {
      const value = part.evaluate(frame);
      if (isError(value)) failed = value;
      else if (!part.optional) values.push(value);
      else if (!(value instanceof OptionalValue))
        failed = notOptional('cannot initialize optional list element', value);
      else if (value.value !== undefined) values.push(value.value);
      if (failed !== undefined) break;
    }
    frame.charge(LIST_COST);
    return failed ?? new ArrayList(values);
  });
}

/** A planned entry of a map literal. */
export interface PlannedEntry {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

/** A map literal: a constant when all its keys and values are. */
export function planMap(entries: readonly PlannedEntry[]): Step {
  const constants: (readonly [Value, Value])[] = [];
  for (const { key, value } of entries)
    if (key.kind === 'constant' && value.kind === 'constant') constants.push([key.value, value.value]);
  const constant = constants.length === entries.length ? EntriesMap.of(constants) : undefined;
  if (constant !== undefined) return constantStep(constant);
  const parts = entries.map(({ key, value, optional }) => ({
    key: key.evaluate,
    value: value.evaluate,
    optional,
  }));
  return computedStep((frame) => {
    const values: [Value, Value][] = [];
    let failed: ErrorValue | undefined;
    for (const part of parts) {
      const key = part.key(frame);
      const value = isError(key) ? key : part.value(frame);
      if (isError(value)) failed = value;
      else if (!part.optional) values.push([key, value]);
      else if (!(value instanceof OptionalValue))
        failed = notOptional(`cannot initialize optional entry '${String(key)}'`, value);
      else if (value.value !== undefined) values.push([key, value.value]);
      if (failed !== undefined) break;
    }
    frame.charge(MAP_COST);
    return failed ?? EntriesMap.of(values) ?? BAD_KEY;
  });
}

function notOptional(what: string, value: Value): ErrorValue {
  const text = value === null || typeof value !== 'object' ? String(value) : runtimeTypeName(value);
  return new ErrorValue(`${what} from non-optional value ${text}`);
}
