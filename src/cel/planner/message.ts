import { ErrorValue } from '../values/error-value.ts';
import { OptionalValue } from '../values/optional.ts';
import { Duration, durationOf, NANOS_PER_SECOND, timestampOfNanos } from '../values/time.ts';
import { isError, kindOf, runtimeTypeName, type Value } from '../values/value.ts';
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

/** `google.protobuf.Duration{seconds: 1}`. @throws ProgramError for types without values */
export function planMessage(type: string, fields: readonly PlannedField[]): Step {
  const make = MESSAGES.get(type);
  if (make === undefined) throw new ProgramError(`unknown type: ${type}`);
  return computedStep((frame) => {
    const parts = { seconds: 0n, nanos: 0n };
    let failed: ErrorValue | undefined;
    for (const { name, value, optional } of fields) {
      const written = value(frame);
      const field = optional && written instanceof OptionalValue ? written.value : written;
      if (field === undefined) continue;
      if (isError(field)) failed = field;
      else if (optional && !(written instanceof OptionalValue))
        failed = new ErrorValue(`cannot initialize optional entry '${name}' from non-optional value`);
      else if (kindOf(field) !== 'int')
        failed = new ErrorValue(
          `field type conversion error for ${type}.${name} value type: ${runtimeTypeName(field)}`,
        );
      else parts[name as 'seconds' | 'nanos'] = BigInt(field as number | bigint);
      if (failed !== undefined) break;
    }
    const { seconds, nanos } = parts;
    if (failed === undefined && (nanos > MAX_INT32 || nanos < -MAX_INT32 - 1n))
      failed = new ErrorValue('integer overflow');
    frame.charge(MESSAGE_COST);
    return failed ?? make(seconds, nanos);
  });
}
