import { ErrorValue } from '../values/error-value.ts';
import { ObjectValue } from '../values/object-value.ts';
import { OptionalValue } from '../values/optional.ts';
import { Duration, durationOf, NANOS_PER_SECOND, timestampOfNanos } from '../values/time.ts';
import { isError, kindOf, runtimeTypeName, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import { computedStep, type Evaluate, ProgramError, type Step } from './step.ts';

const MESSAGE_COST = 40;
const MAX_INT32 = 2_147_483_647n;
const MAX_DURATION = 9_223_372_036_854_775_807n;

/** A planned field of a message literal. */
export interface PlannedField {
  readonly name: string;
  readonly value: Evaluate;
  readonly optional: boolean;
}

type Make = (seconds: bigint, nanos: bigint) => Value;

/** The message types with values: those that map to a kind of value. Durations are capped at the maximum. */
const MESSAGES: ReadonlyMap<string, Make> = new Map([
  [
    'google.protobuf.Duration',
    (seconds: bigint, nanos: bigint) => longest(seconds * NANOS_PER_SECOND + nanos),
  ],
  [
    'google.protobuf.Timestamp',
    (seconds: bigint, nanos: bigint) => timestampOfNanos(seconds * NANOS_PER_SECOND + nanos),
  ],
]);

function longest(nanos: bigint): Value {
  const duration = durationOf(nanos);
  return isError(duration) ? new Duration(nanos < 0n ? -MAX_DURATION - 1n : MAX_DURATION) : duration;
}

type FieldValues = ReadonlyMap<string, Value>;

/**
 * `google.protobuf.Duration{seconds: 1}`, `Object.spec{replicas: 3}`.
 * @throws ProgramError for types without values
 */
export function planMessage(type: string, fields: readonly PlannedField[]): Step {
  const make = makerOf(type);
  return computedStep((frame) => {
    const values = evaluateFields(frame, fields);
    frame.charge(MESSAGE_COST);
    return values instanceof ErrorValue ? values : make(values);
  });
}

function makerOf(type: string): (values: FieldValues) => Value {
  const make = MESSAGES.get(type);
  if (make !== undefined) return (values) => makeTime(type, make, values);
  if (type === 'JSONPatch') return (values) => patchProblem(values) ?? new ObjectValue(type, values);
  if (type === 'Object' || type.startsWith('Object.')) return (values) => new ObjectValue(type, values);
  throw new ProgramError(`unknown type: ${type}`);
}

/** The values of the fields in their order, without absent optional ones; the first error ends. */
function evaluateFields(frame: Frame, fields: readonly PlannedField[]): Map<string, Value> | ErrorValue {
  const values = new Map<string, Value>();
  for (const { name, value, optional } of fields) {
    const written = value(frame);
    const field = optional && written instanceof OptionalValue ? written.value : written;
    if (field === undefined) continue;
    if (isError(field)) return field;
    if (optional && !(written instanceof OptionalValue))
      return new ErrorValue(`cannot initialize optional entry '${name}' from non-optional value`);
    values.set(name, field);
  }
  return values;
}

function makeTime(type: string, make: Make, values: FieldValues): Value {
  const parts = { seconds: 0n, nanos: 0n };
  for (const [name, field] of values) {
    if (kindOf(field) !== 'int')
      return new ErrorValue(
        `field type conversion error for ${type}.${name} value type: ${runtimeTypeName(field)}`,
      );
    parts[name as 'seconds' | 'nanos'] = BigInt(field as number | bigint);
  }
  const { seconds, nanos } = parts;
  if (nanos > MAX_INT32 || nanos < -MAX_INT32 - 1n) return new ErrorValue('integer overflow');
  return make(seconds, nanos);
}

/** Fields of dynamic types are checked when they have values. */
function patchProblem(values: FieldValues): ErrorValue | undefined {
  for (const [name, value] of values)
    if (name !== 'value' && typeof value !== 'string')
      return new ErrorValue(`unexpected type ${runtimeTypeName(value)} for JSONPatchType '${name}' field`);
  return undefined;
}
