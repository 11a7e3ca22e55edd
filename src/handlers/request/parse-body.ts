import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../codec/decode-error.ts';
import type { ParsedDocument } from '../../codec/json-parse.ts';
import { parsingJson } from '../../codec/json-parse.ts';
import {
  checkingWithinParts,
  countingParts,
  MAXIMUM_BODY_PARTS,
  MAXIMUM_PARTS,
  TooManyPartsError,
} from '../../codec/parts.ts';
import { parseYamlAsJson } from '../../codec/yaml-as-json.ts';
import { type ApiError, errors } from '../../status/index.ts';
import { recordSize, runInTurns, type SizedWork } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import type { Encoding } from '../response/negotiation.ts';

/** A plain tree and the paths of duplicate members. */
export interface PlainBody {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/**
 * Checks that a body, or the object created from it, has at most {@link MAXIMUM_PARTS} parts without its
 * managed fields, which bounds every later step of the work.
 * @throws ApiError 413
 */
export function* checkingParts(value: unknown, what = 'object'): Steps<void> {
  if (!(yield* checkingWithinParts(value))) throw tooManyParts(what);
}

const tooManyParts = (what: string): ApiError =>
  errors.requestEntityTooLarge(
    `the ${what} has more than ${MAXIMUM_PARTS} members and items (each member of an object counts as two); use several smaller objects instead`,
  );

/**
 * Runs a parser or decoder of a request body.
 * @throws ApiError 413 when the body has more parts than the parser was given
 */
export async function withinParts<Result>(parse: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await parse();
  } catch (error) {
    throw error instanceof TooManyPartsError ? tooManyParts('request body') : error;
  }
}

/**
 * Parses JSON, YAML or CBOR; large bodies are parsed in steps.
 * @throws DecodeError, ApiError 413
 */
export async function parsePlain(context: SizedWork, encoding: Encoding, body: Buffer): Promise<PlainBody> {
  switch (encoding) {
    case 'yaml':
      return parseYamlBody(context, body);
    case 'cbor':
      return parseCborBody(context, body);
    default:
      return parseJsonBody(context, body);
  }
}

/** @throws DecodeError, ApiError 413 */
export async function parseJsonBody(context: SizedWork, body: Uint8Array): Promise<ParsedDocument> {
  const parsed = await withinParts(() => runInTurns(context.turns, parsingJson(body, MAXIMUM_BODY_PARTS)));
  await checkJsonParts(context, parsed);
  return parsed;
}

/** Checks the parts of a document that was parsed with the limit for a body with managed fields. */
async function checkJsonParts(context: SizedWork, { value, parts = 0 }: ParsedDocument): Promise<void> {
  recordSize(context, WORK_PER_PART * parts);
  if (parts <= MAXIMUM_PARTS) return;
  await context.turns.pause();
  await runInTurns(context.turns, checkingParts(value, 'request body'));
}

/** Bytes of text that take as long to parse as one part of a document. */
const WORK_PER_PART = 48;

async function parseCborBody(context: SizedWork, body: Buffer): Promise<PlainBody> {
  const { parseCbor } = await import('../../codec/cbor.ts');
  const parsed = await withinParts(() => parseCbor(body, MAXIMUM_PARTS));
  await checkBinaryParts(context, body, parsed.value);
  return parsed;
}

/**
 * Counts the parts of a decoded binary body, in a step of its own, and records the size of the request: the
 * body may be small for its parts.
 * @throws ApiError 413
 */
export async function checkBinaryParts(context: SizedWork, body: Uint8Array, value: unknown): Promise<void> {
  if (body.length < stepSizes.values) return;
  if (body.length > stepSizes.objectBytes) await context.turns.pause();
  const parts = await runInTurns(context.turns, countingParts(value, MAXIMUM_PARTS));
  recordSize(context, WORK_PER_PART * parts);
  if (parts <= MAXIMUM_PARTS) return;
  await context.turns.pause();
  await runInTurns(context.turns, checkingParts(value, 'request body'));
}

async function parseYamlBody(context: SizedWork, body: Buffer): Promise<PlainBody> {
  if (!isUtf8(body)) throw new DecodeError('yaml: invalid leading UTF-8 octet');
  const parsed = await withinParts(async () => {
    const json = await runInTurns(context.turns, parseYamlAsJson(body, MAXIMUM_BODY_PARTS));
    if (json !== undefined) return json;
    // The YAML parser is loaded only for documents that are not JSON.
    const { parsingYaml } = await import('../../codec/yaml.ts');
    return runInTurns(context.turns, parsingYaml(body, MAXIMUM_BODY_PARTS));
  });
  await checkJsonParts(context, parsed);
  return parsed;
}
