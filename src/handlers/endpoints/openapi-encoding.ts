import { escapeHtml } from '../../codec/json-string.ts';
import type { Dialect, Schema } from '../../openapi/document.ts';
import { concatenate, type Pause } from './time-slices.ts';

export type Encoding = 'json' | 'protobuf';

/** Levels of a document whose members are written one by one: `components`, `schemas`, each schema. */
const LEVELS = 3;

/** Encodes a document in steps. */
export async function encodeDocument(
  document: Schema,
  dialect: Dialect,
  encoding: Encoding,
  pause: Pause,
): Promise<Buffer> {
  if (encoding === 'json') return encodeJson(document, pause);
  const { encodeOpenApi } = await import('../../openapi/protobuf.ts');
  return encodeOpenApi(document, dialect, pause);
}

async function encodeJson(document: Schema, pause: Pause): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const text of textsOf(document, LEVELS)) {
    parts.push(Buffer.from(escapeHtml(text)));
    await pause();
  }
  return concatenate(parts, pause);
}

function* textsOf(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield JSON.stringify(value);
    return;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* textsOf(member, levels - 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Encodes members of a section without its braces, to be joined with those of other parts. */
export async function encodeMembers(
  section: 'paths' | 'definitions' | 'parameters',
  members: Iterable<readonly [name: string, value: unknown]>,
  encoding: Encoding,
  pause: Pause,
): Promise<Map<string, Buffer>> {
  const encoded = new Map<string, Buffer>();
  const { encodePart } =
    encoding === 'json' ? { encodePart: undefined } : await import('../../openapi/protobuf.ts');
  for (const [name, value] of members) {
    const bytes =
      encodePart === undefined
        ? Buffer.from(escapeHtml(`${JSON.stringify(name)}:${JSON.stringify(value)}`))
        : encodePart({ [section]: Object.fromEntries([[name, value]]) }, 'v2');
    encoded.set(name, bytes);
    await pause();
  }
  return encoded;
}
