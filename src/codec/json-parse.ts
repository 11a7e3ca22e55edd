import { isUtf8 } from 'node:buffer';
import { runNow } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { parseJsonExactly } from './json-exact.ts';
import { type JsonScan, scanJson } from './json-scan.ts';
import { TooManyPartsError } from './parts.ts';

/** A parsed document. */
export interface ParsedDocument {
  readonly value: unknown;
  /**
   * JSON and CBOR: paths of duplicate members (the last one is used); YAML: one message with line and key for
   * each.
   */
  readonly duplicates: string[];
  /** Number of members and items of a JSON document that was parsed in steps, as a measure of its work. */
  readonly parts?: number;
}

/**
 * Parses one JSON document (RFC 8259). Integers beyond 2^53 become bigint; other numbers are doubles (see
 * `literalsOf` for `5.0`). Invalid UTF-8 and lone surrogates become U+FFFD; nesting beyond 10,000 is refused;
 * `__proto__` is an ordinary member. JSON.parse is used where its result is exact; other documents and errors
 * use the exact parser.
 * @throws DecodeError with the message of Go's parser
 */
export function parseJson(bytes: Uint8Array): ParsedDocument {
  return parseScanned(bytes, scanJson(bytes));
}

/**
 * Parses JSON that a server wrote, which has no duplicate members. @throws DecodeError
 */
export function parseStoredJson(bytes: Uint8Array): unknown {
  const scan = scanJson(bytes);
  if (scan.exact || !scan.ascii) return parseScanned(bytes, scan).value;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
  } catch {
    return runNow(parseJsonExactly(bytes)).value;
  }
}

/**
 * {@link parseJson} in steps of some milliseconds. Documents with many parts use the parser that can yield
 * between parts.
 * @throws DecodeError, TooManyPartsError for a document with more parts than the limit
 */
export function* parsingJson(bytes: Uint8Array, limit = Number.POSITIVE_INFINITY): Steps<ParsedDocument> {
  const scan = scanJson(bytes);
  if (scan.parts > limit) throw new TooManyPartsError();
  if (bytes.length > stepSizes.bytes) yield;
  const document =
    (scan.parts < stepSizes.values ? parseFast(bytes, scan) : undefined) ?? (yield* parseJsonExactly(bytes));
  return { ...document, parts: scan.parts };
}

const parseScanned = (bytes: Uint8Array, scan: JsonScan): ParsedDocument =>
  parseFast(bytes, scan) ?? runNow(parseJsonExactly(bytes));

/** Parses with JSON.parse where its result is exact. */
function parseFast(bytes: Uint8Array, scan: JsonScan): ParsedDocument | undefined {
  if (scan.exact || !(scan.ascii || isUtf8(bytes))) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let value: unknown;
  try {
    value = JSON.parse(buffer.toString(scan.ascii ? 'latin1' : 'utf8'));
  } catch {
    return undefined;
  }
  return countMembers(value) === scan.members ? { value, duplicates: [] } : undefined;
}

function countMembers(root: unknown): number {
  let members = 0;
  const rest: object[] = [];
  if (typeof root === 'object' && root !== null) rest.push(root);
  for (let container = rest.pop(); container !== undefined; container = rest.pop()) {
    if (Array.isArray(container)) {
      for (const item of container) if (typeof item === 'object' && item !== null) rest.push(item);
    } else {
      for (const key in container) {
        members++;
        const member = (container as Record<string, unknown>)[key];
        if (typeof member === 'object' && member !== null) rest.push(member);
      }
    }
  }
  return members;
}
