import { DecodeError } from '../../codec/decode-error.ts';
import { decodeEnvelope } from '../../codec/envelope.ts';
import { parseJsonExactly } from '../../codec/json-exact.ts';
import { strictErrors } from '../../codec/json-strict.ts';
import { MAXIMUM_PARTS } from '../../codec/parts.ts';
import { isInFreeForm, writingOwnership } from '../../codec/raw-text.ts';
import type { TypedDocument } from '../../codec/typed.ts';
import {
  BodyAbortedError,
  BodyMalformedError,
  BodyRefusedError,
  BodyTooLargeError,
} from '../../connection/exchange.ts';
import { quote } from '../../errors/quote.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import type { AuditRecord } from '../../request/audit.ts';
import type { RequestContext } from '../../request/context.ts';
import { ApiError, errors } from '../../status/index.ts';
import { isLarge, pauseIfLarge, recordSize, runIfLarge, runInTurns, waitIfLarge } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import { servedEncodings } from '../response/answer.ts';
import { bodyEncoding, type Encoding, mediaTypes } from '../response/negotiation.ts';
import { type ExpectedKind, identityProblem, type KindProblem, kindProblem } from './expected-kind.ts';
import type { FieldValidation } from './parameters.ts';
import { checkBinaryParts, type PlainBody, parsePlain, withinParts } from './parse-body.ts';
import { decodingTyped } from './typed-object.ts';

/** Reads the request body. @throws ApiError 413, 429 or 400 */
export async function readBody(context: RequestContext, limit: number): Promise<Buffer> {
  try {
    const body = await context.exchange.readBody(limit);
    recordSize(context, body.length);
    return body;
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw errors.requestEntityTooLarge(`Request entity too large: limit is ${error.limit}`);
    if (error instanceof BodyRefusedError)
      throw errors.tooManyRequests(
        'too many bytes of request bodies are being received, please try again later',
        1,
      );
    if (error instanceof BodyAbortedError || error instanceof BodyMalformedError)
      throw errors.badRequest(`the request body could not be read: ${error.message}`);
    throw error;
  }
}

/** The encoding of the body. @throws ApiError 415 */
export function requestEncoding(context: RequestContext): Encoding {
  const encoding = bodyEncoding(context.exchange.header('content-type'));
  if (encoding === undefined || !servedEncodings(context).includes(encoding))
    throw errors.unsupportedMediaType(mediaTypes(servedEncodings(context)));
  return encoding;
}

/**
 * Decodes a body as an object of the expected kind; unknown and duplicate members are treated as the
 * validation level says.
 * @throws ApiError 400
 */
export async function decodeObject(
  context: RequestContext,
  expected: ExpectedKind,
  body: Buffer,
  validation: FieldValidation,
): Promise<KubernetesObject> {
  const object = await decodeBody(context, expected, body, validation);
  if (context.audit !== undefined) recordBody(context.audit, expected, object);
  return object;
}

function recordBody(audit: AuditRecord, expected: ExpectedKind, object: KubernetesObject): void {
  audit.setObjectIdentity(object.metadata ?? {});
  if (!audit.recordsRequestBody) return;
  const { group, version, kind, schema } = expected;
  expected.setDefaults?.(object);
  audit.setRequestBody(schema.writeJson(object, { apiVersion: apiVersionOf(group, version), kind }));
}

async function decodeBody(
  context: RequestContext,
  expected: ExpectedKind,
  body: Buffer,
  validation: FieldValidation,
): Promise<KubernetesObject> {
  const encoding = requestEncoding(context);
  if (encoding === 'protobuf' && expected.schema.protobuf === undefined)
    throw errors.unsupportedMediaType(mediaTypes(servedEncodings(context)));
  await waitIfLarge(context);
  if (encoding === 'protobuf') {
    const object = await withinParts(() => decodeProtobuf(context, expected, body));
    await checkBinaryParts(context, body, object);
    return object;
  }
  let plain: PlainBody;
  try {
    plain = await parsePlain(context, encoding, body);
  } catch (error) {
    throw unrecognized(expected, body, error, encoding);
  }
  checkKind(expected, plain.value, body);
  await pauseIfLarge(context);
  if (encoding === 'json' && plain.duplicates.length > 0 && !expected.schema.isUntyped)
    plain = await runInTurns(context.turns, parseJsonExactly(body, { merges: true }));
  if (isLarge(context) && !expected.schema.isUntyped)
    await runInTurns(context.turns, writingOwnership(plain.value));
  const typed = await decodeTyped(context, expected, plain.value);
  if (validation !== 'Ignore' && plain.duplicates.length + typed.unknown.length > 0) {
    const problems = await strictProblems(
      context,
      { encoding, body, plain, typed },
      validation,
      expected.schema.isUntyped,
    );
    reportStrictness(context, expected, problems, validation);
  }
  return typed.value;
}

/** Decodes plain data as an object; unknown members are an error. @throws ApiError 400 */
export async function decodePlainStrictly(
  context: RequestContext,
  expected: ExpectedKind,
  value: unknown,
): Promise<KubernetesObject> {
  const typed = await decodeTyped(context, expected, value);
  reportStrictness(context, expected, typed.unknown.map(unknownField), 'Strict');
  return typed.value;
}

/** @throws ApiError 400 */
async function decodeTyped(
  context: RequestContext,
  expected: ExpectedKind,
  value: unknown,
): Promise<TypedDocument> {
  try {
    return await runIfLarge(context, decodingTyped(context, expected, value ?? {}));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw errors.badRequest(
      `${expected.kind} in version ${quote(expected.version)} cannot be handled as a ${expected.kind}: ${error.message}`,
    );
  }
}

/** Duplicates of an object without a type that are reported, as in kube-apiserver. */
const MAXIMUM_DUPLICATES = 100;

const unknownField = (path: string): string => `unknown field ${quote(path)}`;
const duplicateField = (path: string): string => `duplicate field ${quote(path)}`;

interface DecodedBody {
  readonly encoding: Encoding;
  readonly body: Buffer;
  readonly plain: PlainBody;
  readonly typed: TypedDocument;
}

/** The strict decoding errors, worded as for each encoding. */
async function strictProblems(
  context: RequestContext,
  { encoding, body, plain: { duplicates }, typed: { unknown, value } }: DecodedBody,
  validation: FieldValidation,
  isUntyped: boolean,
): Promise<string[]> {
  // Objects without a type are decoded in two passes: the first one finds all duplicates.
  if (encoding === 'json' && isUntyped)
    return [
      ...[...new Set(duplicates)].slice(0, MAXIMUM_DUPLICATES).map(duplicateField),
      ...unknown.map(unknownField),
    ];
  if (encoding === 'json') {
    const decoded = duplicates.filter((path) => !isInFreeForm(value, path));
    return decoded.length + unknown.length === 0
      ? []
      : runInTurns(context.turns, strictErrors(body, decoded, unknown));
  }
  if (encoding !== 'yaml') return [...duplicates.map(duplicateField), ...unknown.map(unknownField)];
  // The YAML parser words its duplicates itself, by line; an error reports them as one error of that parser.
  const worded =
    validation === 'Strict' && duplicates.length > 0
      ? [['yaml: unmarshal errors:', ...duplicates].join('\n  ')]
      : duplicates;
  return [...worded, ...unknown.map(unknownField)];
}

/** Reports strict decoding errors as warnings or as an error. @throws ApiError 400 */
export function reportStrictness(
  context: RequestContext,
  { kind, version }: ExpectedKind,
  problems: readonly string[],
  validation: FieldValidation,
): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Warn') for (const problem of problems) context.warnings.add(problem);
  else
    throw errors.badRequest(
      `${kind} in version ${quote(version)} cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`,
    );
}

async function decodeProtobuf(
  context: RequestContext,
  expected: ExpectedKind,
  body: Buffer,
): Promise<KubernetesObject> {
  try {
    const envelope = decodeEnvelope(body);
    const { apiVersion, kind } = envelope;
    reportKind(
      expected,
      identityProblem(expected, { apiVersion, kind }, () => body.toString('utf8')),
      body,
    );
    const protobuf = expected.schema.protobuf!;
    const object =
      body.length <= stepSizes.objectBytes
        ? protobuf.decode(envelope.raw, MAXIMUM_PARTS)
        : await runInTurns(context.turns, protobuf.decoding(envelope.raw, MAXIMUM_PARTS));
    expected.normalizeAnnotations?.(object);
    return object;
  } catch (error) {
    throw error instanceof ApiError ? error : unrecognized(expected, body, error);
  }
}

/** Checks kind and apiVersion of a plain body where they are set. @throws ApiError 400 */
function checkKind(expected: ExpectedKind, value: unknown, body: Buffer): void {
  reportKind(
    expected,
    kindProblem(expected, value, () => body.toString('utf8')),
    body,
  );
}

/** @throws ApiError 400 */
function reportKind(expected: ExpectedKind, problem: KindProblem | undefined, body: Buffer): void {
  if (problem === undefined) return;
  const { reason, message } = problem;
  if (reason === 'unreadable') throw unrecognized(expected, body, new DecodeError(message));
  if (reason === 'other version') throw errors.badRequest(message);
  throw errors.badRequest(
    `${problem.kind} in version ${quote(problem.version)} cannot be handled as a ${expected.kind}: ${message}`,
  );
}

const SHOWN_BYTES = 30;

/** The error for a body that is not an object; it contains the beginning of the body. */
function unrecognized({ kind }: ExpectedKind, body: Buffer, error: unknown, encoding?: Encoding): ApiError {
  if (!(error instanceof DecodeError)) throw error;
  const step = encoding === undefined ? '' : (STEPS[encoding] ?? '');
  return errors.badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${step}${error.message} (${showBody(body)})`,
  );
}

/** The failed step of decoding, per encoding. */
const STEPS: Partial<Record<Encoding, string>> = {
  json: "couldn't get version/kind; json parse error: ",
  cbor: 'unable to determine group/version/kind: ',
};

function showBody(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, SHOWN_BYTES);
  const text = head[0] === 0x7b ? head.toString('utf8') : head.toString('hex');
  return body.length > SHOWN_BYTES ? `${text} ...` : text;
}
