import type { Field, MessageType } from '../schema/message.ts';
import type { Steps } from '../steps/steps.ts';
import {
  compileMembers,
  compileMembersInSteps,
  messageWriter,
  type SteppingWrite,
  type Write,
} from './json-compile.ts';
import { JsonPieces } from './json-pieces.ts';
import { quoteJson } from './json-string.ts';
import type { Lazy } from './lazy.ts';

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
  /** The rest of the metadata, and the rest of the object with a comma before each member. */
  readonly metadataAfter: Write;
  readonly after: Write;
  readonly inSteps: Readonly<Record<'metadataAfter' | 'after', Lazy<SteppingWrite>>>;
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
  if (type.form !== 'object') return messageWriter(type).run(value as never);
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
  const tail = `${split.metadataAfter(metadata as never)}}${split.after(value as never)}}`;
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
  const out = new JsonPieces();
  yield* split.inSteps.metadataAfter.run(out, metadata as never);
  out.text += '}';
  yield* split.inSteps.after.run(out, value as never);
  out.text += '}';
  out.flush();
  return { head: Buffer.from(headText(split, value, typeMeta)), tail: out.bytes };
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
    writers = { members: compileMembers(type.jsonFields, { form: 'braces' }), split: splitWriters(type) };
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
  return {
    before: compileMembers(before, { form: 'prefix' }),
    metadataBefore: compileMembers(metadataBefore, { form: 'prefix' }),
    // creationTimestamp is always written, so the part after the version is never empty.
    metadataAfter: compileMembers(metadataAfter, { form: 'first' }),
    after: compileMembers(after, { form: 'rest' }),
    inSteps: {
      metadataAfter: compileMembersInSteps(metadataAfter, { form: 'first' }),
      after: compileMembersInSteps(after, { form: 'rest' }),
    },
  };
}

function splitAt(fields: readonly Field[], name: string): [Field[], Field[]] {
  const at = fields.findIndex((field) => field.name === name);
  return [fields.slice(0, at), fields.slice(at + 1)];
}
