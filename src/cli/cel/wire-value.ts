import { formatAddress } from '../../addresses/address.ts';
import { CidrValue } from '../../cel/libraries/cidr.ts';
import { FormatValue } from '../../cel/libraries/formats.ts';
import { IpValue } from '../../cel/libraries/ip.ts';
import { QuantityValue } from '../../cel/libraries/quantity.ts';
import { UrlValue } from '../../cel/libraries/url.ts';
import type { OpaqueValue } from '../../cel/values/opaque.ts';
import { formatDuration, formatTimestamp, Timestamp } from '../../cel/values/time.ts';
import { kindOf, type Value } from '../../cel/values/value.ts';
import { formatQuantity } from '../../model/quantity.ts';

const wellKnown = (name: string, value: string) => ({
  objectValue: { '@type': `type.googleapis.com/google.protobuf.${name}`, value },
});

/** The JSON form of a double: a string where JSON has no number for it. */
const jsonDouble = (value: number): number | string =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';

/** The text of a value without fields. */
function textOf(value: OpaqueValue): string {
  if (value instanceof QuantityValue) return formatQuantity(value.quantity);
  if (value instanceof IpValue) return formatAddress(value.address);
  if (value instanceof CidrValue) return `${formatAddress(value.range.address)}/${value.range.prefix}`;
  if (value instanceof UrlValue) return value.text;
  return value instanceof FormatValue ? value.name : value.typeName;
}

/**
 * A value in the protobuf JSON of `cel.expr.Value`; optional and opaque values, which that does not have, as
 * `{optional}` and `{opaque, text}`.
 */
export function wireValue(value: Value): unknown {
  switch (typeof value) {
    case 'boolean':
      return { boolValue: value };
    case 'string':
      return { stringValue: value };
    case 'number':
    case 'bigint':
      return { int64Value: String(value) };
  }
  if (value === null) return { nullValue: null };
  switch (value.kind) {
    case 'uint':
      return { uint64Value: String(value.value) };
    case 'double':
      return { doubleValue: jsonDouble(value.value) };
    case 'bytes':
      return { bytesValue: Buffer.from(value.data).toString('base64') };
    case 'timestamp':
      return wellKnown('Timestamp', formatTimestamp(new Timestamp(value.seconds, value.nanos)));
    case 'duration':
      return wellKnown('Duration', formatDuration(value));
    case 'type':
      return { typeValue: value.name };
    case 'optional':
      return { optional: value.value === undefined ? 'none' : wireValue(value.value) };
    case 'list': {
      const values = Array.from({ length: value.size }, (_, index) => wireValue(value.get(index)));
      return { listValue: values.length === 0 ? {} : { values } };
    }
    case 'map': {
      const entries = value
        .keys()
        .map((key) => ({ key: wireValue(key), value: wireValue(value.find(key) ?? null) }));
      return { mapValue: entries.length === 0 ? {} : { entries } };
    }
    case 'opaque':
      return { opaque: value.typeName, text: textOf(value) };
    default:
      return { error: kindOf(value) };
  }
}
