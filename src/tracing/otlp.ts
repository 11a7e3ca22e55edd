import { writeBackwards, writeVarint } from '../codec/protobuf-writer.ts';
import type { Span, SpanAttributes, SpanKind } from '../observability/span.ts';

/*
 * Encodes spans as opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest. Messages are written as
 * small buffers from the inside out: an export is rare and off the request's path.
 */

/** The server whose spans are exported. */
export interface TracedService {
  readonly name: string;
  readonly instance: string;
  /** Name of the library that made the spans. */
  readonly scope: string;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };

const varint = (value: number): Buffer =>
  writeBackwards((buffer, position) => writeVarint(buffer, position, value));
const tag = (field: number, wireType: number): Buffer => varint(field * 8 + wireType);
const bytes = (field: number, value: Uint8Array): Buffer =>
  Buffer.concat([tag(field, BYTES), varint(value.length), value]);
const text = (field: number, value: string): Buffer =>
  value === '' ? Buffer.alloc(0) : bytes(field, Buffer.from(value));
const integer = (field: number, value: number): Buffer => Buffer.concat([tag(field, VARINT), varint(value)]);

function fixed64(field: number, value: bigint): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(value);
  return Buffer.concat([tag(field, FIXED64), number]);
}

/** AnyValue: text, a truth value, a whole number or another number. */
function anyValue(value: string | number | boolean): Buffer {
  if (typeof value === 'string') return bytes(1, Buffer.from(value));
  if (typeof value === 'boolean') return integer(2, value ? 1 : 0);
  if (Number.isSafeInteger(value) && value >= 0) return integer(3, value);
  const number = Buffer.alloc(8);
  number.writeDoubleLE(value);
  return Buffer.concat([tag(4, FIXED64), number]);
}

const attributesOf = (field: number, attributes: SpanAttributes): Buffer[] =>
  Object.entries(attributes).map(([name, value]) =>
    bytes(field, Buffer.concat([text(1, name), bytes(2, anyValue(value))])),
  );

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

/**
 * Encodes a finished span, so that nothing of its request is kept until the export.
 * @param parentId empty for a root @param origin wall-clock milliseconds at the monotonic time 0
 */
export function encodeSpan(span: Span, parentId: string, origin: number): Buffer {
  const at = (time: number): bigint => BigInt(Math.round((origin + time) * 1000)) * 1000n;
  const { trace, events } = span;
  const link = parentId === '' ? trace!.link : undefined;
  return Buffer.concat([
    bytes(1, hex(trace!.traceId)),
    bytes(2, hex(span.id)),
    ...(parentId === '' ? [] : [bytes(4, hex(parentId))]),
    text(5, span.name),
    integer(6, KINDS[span.kind]),
    fixed64(7, at(span.start)),
    fixed64(8, at(span.end)),
    ...attributesOf(9, span.attributes()),
    ...events.map((event) => bytes(11, Buffer.concat([fixed64(1, at(event.at)), text(2, event.name)]))),
    ...(link === undefined
      ? []
      : [bytes(13, Buffer.concat([bytes(1, hex(link.traceId)), bytes(2, hex(link.spanId))]))]),
  ]);
}

/** Encodes an export request of encoded spans. */
export function exportRequest(
  spans: readonly Uint8Array[],
  { name, instance, scope }: TracedService,
): Buffer {
  const resource = Buffer.concat(attributesOf(1, { 'service.name': name, 'service.instance.id': instance }));
  const scoped = Buffer.concat([bytes(1, text(1, scope)), ...spans.map((span) => bytes(2, span))]);
  return bytes(1, Buffer.concat([bytes(1, resource), bytes(2, scoped)]));
}
