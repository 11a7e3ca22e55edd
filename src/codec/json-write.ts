import type { Field, MessageType } from '../schema/message.ts';
import type { Steps } from '../steps/steps.ts';
import { compileMembers, messageWriter, type Write } from './json-compile.ts';
import { quoteJson } from './json-string.ts';
import { writingMembers } from './json-write-steps.ts';

/** JSON bytes without a resourceVersion, and its position. */
export interface SpliceableJson {
  readonly text: Buffer;
  /**
   * Byte offset for inserting `"resourceVersion":"…",` (with that comma); -1 if the message has no object
   * metadata.
   */
  readonly resourceVersionOffset: number;
}

interface RootWriters {
  /** The object without kind and apiVersion. */
  readonly members: Write;
  readonly split: SplitWriters | undefined;
}

interface SplitWriters {
  /** Members before `metadata`, and metadata members before the version, each followed by a comma. */
  readonly before: Write;
  readonly metadataBefore: Write;
  /** The rest of the metadata, and the rest of the object, each with its closing brace. */
  readonly metadataAfter: Write;
  readonly after: Write;
  /** The members that `metadataAfter` and `after` write. */
  readonly fieldsAfterVersion: readonly Field[];
  readonly fieldsAfterMetadata: readonly Field[];
}

const roots = new WeakMap<MessageType, RootWriters>();

/**
 * Encodes a typed value as JSON, byte for byte like kube-apiserver.
 * @param typeMeta written first if given; the value's own kind and apiVersion are not (list items have none)
 */
export function writeJson(
  type: MessageType,
  value: object,
  typeMeta?: { apiVersion: string; kind: string },
): string {
  if (type.form !== 'object') return messageWriter(type).run(value);
  const members = rootWriters(type).members(value as never);
  if (typeMeta === undefined) return members;
  const head = typeMetaText(typeMeta);
  return members.length === 2 ? `{${head}}` : `{${head},${members.slice(1)}`;
}

/**
 * Like {@link writeJson}, but as bytes without a resourceVersion, and with the offset for splicing one in.
 */
export function writeJsonWithOffset(
  type: MessageType,
  value: object,
  typeMeta?: { apiVersion: string; kind: string },
): SpliceableJson {
  const split = type.form === 'object' ? rootWriters(type).split : undefined;
  if (split === undefined)
    return { text: Buffer.from(writeJson(type, value, typeMeta)), resourceVersionOffset: -1 };
  const metadata = (value as { metadata?: object }).metadata ?? {};
  const head = headText(split, value, typeMeta);
  const tail = `${split.metadataAfter(metadata as never)}${split.after(value as never)}`;
  return { text: Buffer.from(head + tail), resourceVersionOffset: Buffer.byteLength(head) };
}

/** The parts of the bytes of {@link writeJsonWithOffset}, before and after the offset. */
export interface SplitJson {
  readonly head: Buffer;
  readonly tail: readonly Uint8Array[];
}

/** {@link writeJsonWithOffset} in steps of some milliseconds; undefined for a type without object metadata. */
export function* writingSplitJson(
  type: MessageType,
  value: object,
  typeMeta: { apiVersion: string; kind: string },
): Steps<SplitJson | undefined> {
  const split = type.form === 'object' ? rootWriters(type).split : undefined;
  if (split === undefined) return undefined;
  const metadata = (value as { metadata?: object }).metadata ?? {};
  return {
    head: Buffer.from(headText(split, value, typeMeta)),
    tail: [
      ...(yield* writingMembers(split.fieldsAfterVersion, metadata, true)),
      Buffer.from('}'),
      ...(yield* writingMembers(split.fieldsAfterMetadata, value, false)),
      Buffer.from('}'),
    ],
  };
}

/** The text before the resource version. */
function headText(
  split: SplitWriters,
  value: object,
  typeMeta: { apiVersion: string; kind: string } | undefined,
): string {
  const metadata = (value as { metadata?: object }).metadata ?? {};
  const typeText = typeMeta === undefined ? '' : `${typeMetaText(typeMeta)},`;
  return `{${typeText}${split.before(value as never)}"metadata":{${split.metadataBefore(metadata as never)}`;
}

function typeMetaText({ kind, apiVersion }: { apiVersion: string; kind: string }): string {
  return `"kind":${quoteJson(kind)},"apiVersion":${quoteJson(apiVersion)}`;
}

function rootWriters(type: MessageType): RootWriters {
  let writers = roots.get(type);
  if (writers === undefined) {
    writers = { members: compileMembers(type.jsonFields, false, '{', '}'), split: splitWriters(type) };
    roots.set(type, writers);
  }
  return writers;
}

function splitWriters(type: MessageType): SplitWriters | undefined {
  const metadata = type.byName.get('metadata');
  if (metadata?.type.message?.name !== 'meta_v1.ObjectMeta' || metadata.pointer) return undefined;
  const objectMeta = metadata.type.message;
  const [before, after] = splitAt(type.jsonFields, 'metadata');
  const [metadataBefore, metadataAfter] = splitAt(objectMeta.jsonFields, 'resourceVersion');
  const rest = compileMembers(after, false, '{', '}') as (value: object) => string;
  const metadataRest = compileMembers(metadataAfter, false, '{', '}') as (value: object) => string;
  return {
    before: compileMembers(before, false, '', ''),
    metadataBefore: compileMembers(metadataBefore, false, '', ''),
    // creationTimestamp is always written, so the part after the version is never empty.
    metadataAfter: (metadata) => metadataRest(metadata).slice(1),
    after: (value) => {
      const text = rest(value);
      return text.length === 2 ? '}' : `,${text.slice(1)}`;
    },
    fieldsAfterVersion: metadataAfter,
    fieldsAfterMetadata: after,
  };
}

function splitAt(fields: readonly Field[], name: string): [Field[], Field[]] {
  const at = fields.findIndex((field) => field.name === name);
  return [fields.slice(0, at), fields.slice(at + 1)];
}
