import { intOf } from '../../../src/cel/values/integers.ts';
import { ArrayList } from '../../../src/cel/values/list.ts';
import { EntriesMap } from '../../../src/cel/values/map.ts';
import { OptionalValue } from '../../../src/cel/values/optional.ts';
import { Bytes, Double, Uint } from '../../../src/cel/values/scalars.ts';
import {
  type Duration,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  type Timestamp,
} from '../../../src/cel/values/time.ts';
import { TypeValue } from '../../../src/cel/values/type-value.ts';
import type { Value } from '../../../src/cel/values/value.ts';

/** A value as the recorded results write it: the JSON form of `cel.expr.Value`. */
export interface WireValue {
  readonly [kind: string]: unknown;
}

interface WireEntry {
  readonly key: WireValue;
  readonly value: WireValue;
}

/** A recorded value as a value of the engine. */
export function valueOfWire(wire: WireValue): Value {
  if ('int64Value' in wire) return intOf(BigInt(wire['int64Value'] as string));
  if ('uint64Value' in wire) return new Uint(BigInt(wire['uint64Value'] as string));
  if ('doubleValue' in wire) return new Double(Number(wire['doubleValue']));
  if ('stringValue' in wire) return wire['stringValue'] as string;
  if ('boolValue' in wire) return wire['boolValue'] as boolean;
  if ('nullValue' in wire) return null;
  if ('bytesValue' in wire) return new Bytes(Buffer.from(wire['bytesValue'] as string, 'base64'));
  if ('typeValue' in wire) return new TypeValue(wire['typeValue'] as string);
  if ('listValue' in wire)
    return new ArrayList(((wire['listValue'] as { values?: WireValue[] }).values ?? []).map(valueOfWire));
  if ('mapValue' in wire) {
    const { entries = [] } = wire['mapValue'] as { entries?: WireEntry[] };
    return EntriesMap.of(entries.map(({ key, value }) => [valueOfWire(key), valueOfWire(value)] as const))!;
  }
  if ('objectValue' in wire) return timeOf(wire['objectValue'] as { '@type': string; value: unknown });
  throw new Error(`no such value: ${JSON.stringify(wire)}`);
}

function timeOf(object: { '@type': string; value: unknown }): Value {
  const name = object['@type'].slice('type.googleapis.com/'.length);
  if (name === 'google.protobuf.Timestamp') return parseTimestamp(object.value as string)!;
  if (name === 'google.protobuf.Duration') return parseDuration(object.value as string)!;
  throw new Error(`no such object: ${name}`);
}

/**
 * A value in a form that compares and prints well: with the type and value of each part, without the order of
 * map entries.
 */
export function comparable(value: Value): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? `int ${value}` : value;
  switch (value.kind) {
    case 'double':
      return `double ${value.value}`;
    case 'uint':
      return `uint ${value.value}`;
    case 'bytes':
      return `bytes ${Buffer.from(value.data).toString('hex')}`;
    case 'timestamp':
      return `timestamp ${formatTimestamp(value as Timestamp)}`;
    case 'duration':
      return `duration ${formatDuration(value as Duration)}`;
    case 'list':
      return Array.from({ length: value.size }, (_, index) => comparable(value.get(index)));
    case 'map':
      return {
        entries: value
          .keys()
          .map(
            (key) =>
              `${JSON.stringify(comparable(key))}: ${JSON.stringify(comparable(value.find(key) ?? null))}`,
          )
          .sort(),
      };
    case 'optional':
      return value instanceof OptionalValue && value.value !== undefined
        ? { some: comparable(value.value) }
        : 'none';
    case 'type':
      return `type ${value.name}`;
    case 'opaque':
      return `opaque ${value.typeName}`;
    case 'error':
      return `error ${value.message}`;
  }
}

/** A recorded value (which can be an optional or opaque) in the form of `comparable`. */
export function recordedValue(wire: WireValue): unknown {
  if ('opaque' in wire) return `opaque ${wire['opaque']}`;
  if (!('optional' in wire)) return comparable(valueOfWire(wire));
  return wire['optional'] === 'none' ? 'none' : { some: recordedValue(wire['optional'] as WireValue) };
}
