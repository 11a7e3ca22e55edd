import {
  ArrayList,
  type Bytes,
  ConcatenatedList,
  EntriesMap,
  jsonOfValue,
  type ListValue,
  type MapValue,
  ObjectValue,
  TextList,
  type Timestamp,
  type Value,
} from '../../../cel/index.ts';
import { ForeignValue } from '../../../model/foreign-value.ts';
import { plainText } from '../../../schema/structural/go-text.ts';
import { formatDuration } from '../../../time/duration.ts';

/**
 * The fields of an object that an expression made, as kube-apiserver makes them: values that have no JSON form
 * in Go become {@link ForeignValue}, among them null, and lists and maps within other lists and maps that the
 * expression made.
 * @throws JsonConversionError for a value without any form
 */
export function nativeFields(object: ObjectValue): Record<string, unknown> {
  return Object.fromEntries(object.keys().map((name) => [name, nativeField(object.find(name)!)]));
}

function nativeField(value: Value): unknown {
  if (isMadeList(value)) return elementsOf(value).map(nativeElement);
  if (value instanceof EntriesMap)
    return Object.fromEntries(
      value
        .keys()
        .map((key) => [
          typeof key === 'string' ? key : jsonOfValue(value),
          nativeElement(value.find(key) ?? null),
        ]),
    );
  return nativeElement(value);
}

function nativeElement(value: Value): unknown {
  if (value === null) return new ForeignValue('NULL_VALUE', '0', 'structpb.NullValue');
  if (typeof value !== 'object') return value;
  if (value instanceof ObjectValue) return nativeFields(value);
  if (value instanceof TextList) return foreignCollection(value, '[]string');
  if (value instanceof ConcatenatedList) return elementsOf(value).map(nativeElement);
  if (value instanceof ArrayList) return foreignCollection(value, '[]ref.Val');
  if (value instanceof EntriesMap) return foreignCollection(value, 'map[ref.Val]ref.Val');
  switch (value.kind) {
    case 'uint':
      return new ForeignValue(
        String(value.value),
        `0x${value.value.toString(16)}`,
        'uint64',
        Number(value.value),
      );
    case 'bytes':
      return foreignBytes(value);
    case 'duration':
      return new ForeignValue(formatDuration(value.nanos), String(value.nanos), 'time.Duration');
    case 'timestamp':
      return foreignTime(value);
    case 'type':
      return value.name;
    case 'optional':
      return value.value === undefined ? null : nativeElement(value.value);
    case 'opaque':
      return new ForeignValue(value.typeName, value.typeName, value.typeName);
    default:
      return jsonOfValue(value);
  }
}

const isMadeList = (value: Value): value is ArrayList | ConcatenatedList =>
  (value instanceof ArrayList && !(value instanceof TextList)) || value instanceof ConcatenatedList;

const elementsOf = (list: ListValue): Value[] =>
  Array.from({ length: list.size }, (_, index) => list.get(index));

function foreignCollection(value: ListValue | MapValue, type: string): ForeignValue {
  const text = plainText(jsonOfValue(value));
  return new ForeignValue(text, `${type}{${text.slice(1, -1)}}`, type);
}

/** Bytes that an error shows. */
const SHOWN_BYTES = 1024;

function foreignBytes({ data }: Bytes): ForeignValue {
  const shown = [...data.subarray(0, SHOWN_BYTES)];
  const syntax = shown.map((byte) => `0x${byte.toString(16)}`).join(', ');
  return new ForeignValue(
    `[${shown.join(' ')}]`,
    `[]uint8{${syntax}}`,
    '[]uint8',
    Buffer.from(data).toString('base64'),
  );
}

function foreignTime({ seconds, nanos }: Timestamp): ForeignValue {
  const date = new Date(seconds * 1000);
  const day = date.toISOString().slice(0, 10);
  const clock = date.toISOString().slice(11, 19);
  const digits = String(nanos).padStart(9, '0');
  const fraction = nanos === 0 ? '' : `.${digits.replace(/0{1,8}$/, '')}`;
  const month = date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const parts = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), nanos].join(', ');
  return new ForeignValue(
    `${day} ${clock}${fraction} +0000 UTC`,
    `time.Date(${date.getUTCFullYear()}, time.${month}, ${date.getUTCDate()}, ${parts}, time.UTC)`,
    'time.Time',
  );
}
