import { parseJson, parsingJson } from '../../codec/json-parse.ts';
import { escapeHtml } from '../../codec/json-string.ts';
import { prettyParts } from '../../codec/pretty.ts';
import { gzipBody } from '../../connection/compress.ts';
import type { Exchange, ResponseBody } from '../../connection/exchange.ts';
import { parseGoBoolean } from '../../model/go-boolean.ts';
import { apiVersionOf } from '../../model/object.ts';
import type { AuditRecord } from '../../request/audit.ts';
import type { RequestContext } from '../../request/context.ts';
import { builtinSchema, encodeProtobufObject, type ObjectSchema } from '../../resources/object-schema.ts';
import { type ApiError, errors, type Status } from '../../status/index.ts';
import { runInTurns } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { MaybePromise, PartSteps } from '../../steps/steps.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import { type Encoding, type Negotiated, negotiate, type Offer } from './negotiation.ts';

/** Responses larger than this are compressed for clients that accept gzip. */
export const COMPRESSION_THRESHOLD = 128 * 1024;

const STANDARD: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
const WITH_CBOR: readonly Encoding[] = ['json', 'yaml', 'protobuf', 'cbor'];

/** Encodings of ordinary responses. */
export function servedEncodings({ responses }: RequestContext): readonly Encoding[] {
  return responses.cbor ? WITH_CBOR : STANDARD;
}

/** Encodings of a kind's own objects: protobuf only if it has messages. */
export function objectEncodings(context: RequestContext, { protobuf }: ObjectSchema): readonly Encoding[] {
  const encodings = servedEncodings(context);
  return protobuf === undefined ? encodings.filter((encoding) => encoding !== 'protobuf') : encodings;
}

/**
 * Negotiates the form of a response, including the requests that get pretty output: the parameter and
 * command-line browsers.
 */
export function negotiateRequest(context: RequestContext, offer: Offer): Negotiated {
  const negotiated = negotiate(context.exchange.header('accept'), offer);
  return negotiated.encoding === 'json' && !negotiated.pretty && wantsPretty(context)
    ? { ...negotiated, pretty: true }
    : negotiated;
}

const PRETTY_AGENTS = ['curl', 'Wget', 'Mozilla/5.0'];

/** Whether the query parameter or the User-Agent selects indented JSON. */
export function wantsPretty({ query, exchange }: RequestContext): boolean {
  const parameter = query.get('pretty');
  if (parameter !== '') return parseGoBoolean(parameter) === true;
  const agent = exchange.header('user-agent');
  return agent !== undefined && PRETTY_AGENTS.some((name) => agent.startsWith(name));
}

/**
 * Whether the client accepts gzip and compression is on. Quality values are ignored, as in kube-apiserver.
 */
export function acceptsGzip({ exchange, responses }: RequestContext): boolean {
  if (!responses.compression) return false;
  const accepted = exchange.header('accept-encoding');
  return accepted?.split(',').some((one) => one.trim() === 'gzip') ?? false;
}

/**
 * Checks that the client accepts the only media type of a document. Quality values and patterns such as
 * `application/*` are ignored.
 * @throws ApiError 406
 */
export function requireAccepted({ exchange }: RequestContext, mediaType: string): void {
  const accept = exchange.header('accept') || '*/*';
  if (!accept.split(',').some((clause) => ['*/*', mediaType].includes(clause.split(';', 1)[0]!.trim())))
    throw errors.notAcceptable([mediaType]);
}

/** Adds the collected warnings to the response headers, once. */
export function writeWarnings({ warnings, exchange }: RequestContext): void {
  if (warnings.size === 0) return;
  for (const header of warningHeaders(warnings)) exchange.setHeader('warning', header, true);
  warnings.clear();
}

/** Maximum characters of all warnings of a response, and of one of them where there are more. */
const MAXIMUM_WARNINGS = 4096;
const MAXIMUM_SHORTENED_WARNING = 256;

/**
 * Formats `299 - "text"` headers. The warning that exceeds the total limit makes all shortened; those that
 * follow once the shortened ones reach it are dropped. A text with control characters is left out.
 */
function warningHeaders(warnings: Iterable<string>): string[] {
  const headers: string[] = [];
  const seen: string[] = [];
  let shortens = false;
  let written = 0;
  const add = (text: string): void => {
    written += lengthOf(text);
    headers.push(`299 - "${quoteWarning(text)}"`);
  };
  for (const text of warnings) {
    if (/\p{Cc}/u.test(text)) continue;
    if (shortens && written >= MAXIMUM_WARNINGS) break;
    seen.push(text);
    if (shortens) add(beginningOf(text));
    else if (written + lengthOf(text) <= MAXIMUM_WARNINGS) add(text);
    else {
      shortens = true;
      written = 0;
      headers.length = 0;
      for (const earlier of seen) add(beginningOf(earlier));
    }
  }
  return headers;
}

/** The number of characters, of which each lone surrogate is one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length++;
  return length;
}

/** Truncates a text without splitting a character. */
function beginningOf(text: string): string {
  if (text.length <= MAXIMUM_SHORTENED_WARNING) return text;
  return [...text.slice(0, 2 * MAXIMUM_SHORTENED_WARNING)].slice(0, MAXIMUM_SHORTENED_WARNING).join('');
}

/** Formats a quoted-string header value. The connection encodes non-ASCII characters. */
const quoteWarning = (text: string): string => text.replace(/[\\"]/g, (character) => `\\${character}`);

/** Sends a complete body, compressed if it is large and the client accepts gzip. */
export function send(
  context: RequestContext,
  status: number,
  contentType: string,
  body: Uint8Array | string,
  compressible = true,
): void | Promise<void> {
  writeWarnings(context);
  context.status = status;
  const { exchange } = context;
  if (
    compressible &&
    body.length >= COMPRESSION_THRESHOLD / 4 &&
    byteLength(body) > COMPRESSION_THRESHOLD &&
    acceptsGzip(context)
  ) {
    return gzipBody(typeof body === 'string' ? Buffer.from(body) : body).then((compressed) =>
      respondGzip(exchange, status, contentType, compressed),
    );
  }
  exchange.respond(status, contentType, body);
}

function respondGzip(
  exchange: Exchange,
  status: number,
  contentType: string,
  compressed: ResponseBody,
): void {
  exchange.setHeader('content-encoding', 'gzip');
  exchange.setHeader('vary', 'Accept-Encoding');
  exchange.respond(status, contentType, compressed);
}

/** Sends a complete body as it is. @param isGzip whether it is compressed already */
export function sendAsIs(
  context: RequestContext,
  status: number,
  contentType: string,
  body: ResponseBody,
  isGzip = false,
): void {
  writeWarnings(context);
  context.status = status;
  if (isGzip) respondGzip(context.exchange, status, contentType, body);
  else context.exchange.respond(status, contentType, body);
}

const byteLength = (body: Uint8Array | string): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

/**
 * Encodes a JSON document in the negotiated encoding, except protobuf, which needs a typed object. Byte
 * results end with a newline, text does not. CBOR uses `schema` to find byte strings. Unindented JSON takes no promise.
 */
export function encodeJsonDocument(
  turns: LoopTurns,
  json: string | Uint8Array,
  negotiated: Negotiated,
  schema?: ObjectSchema,
): MaybePromise<Uint8Array | string> {
  if (negotiated.encoding === 'json' && !negotiated.pretty)
    return typeof json === 'string' ? `${json}\n` : json;
  return encodeInParts(turns, bytesOf(json), negotiated, schema);
}

async function encodeInParts(
  turns: LoopTurns,
  json: Buffer,
  negotiated: Negotiated,
  schema: ObjectSchema | undefined,
): Promise<Uint8Array> {
  return joinInTurns(turns, await documentParts(turns, json, negotiated, schema));
}

const bytesOf = (json: string | Uint8Array): Buffer =>
  typeof json === 'string' ? Buffer.from(json) : Buffer.from(json.buffer, json.byteOffset, json.byteLength);

/** The parts of {@link encodeJsonDocument} in another encoding than unindented JSON; `undefined` is a pause. */
export async function documentParts(
  turns: LoopTurns,
  json: Buffer,
  { encoding }: Negotiated,
  schema?: ObjectSchema,
): Promise<PartSteps<Uint8Array> | readonly Uint8Array[]> {
  switch (encoding) {
    case 'yaml': {
      const { yamlParts } = await import('../../codec/yaml.ts');
      // Each part is encoded in its step: a text that was joined from very many is copied when it is first read.
      return utf8Parts(yamlParts(await parsed(turns, json)));
    }
    case 'cbor': {
      const { cborParts, writeCbor } = await import('../../codec/cbor.ts');
      const plain = await parsed(turns, json);
      const isLarge = json.length > stepSizes.objectBytes;
      if (isLarge && schema !== undefined) await turns.pause();
      const typed = schema === undefined ? plain : schema.binaryForm(plain);
      return isLarge ? cborParts(typed) : [writeCbor(typed)];
    }
    default:
      return prettyParts([json]);
  }
}

/**
 * Parses a document of the server's own; a large one in steps, which begin when no other work of the flow is
 * under way: few such trees are in memory at a time.
 */
async function parsed(turns: LoopTurns, bytes: Uint8Array): Promise<unknown> {
  if (bytes.length <= stepSizes.objectBytes) return parseJson(bytes).value;
  await turns.next(false);
  return (await runInTurns(turns, parsingJson(bytes))).value;
}

/** Encodes parts of a text. */
export function* utf8Parts(texts: PartSteps<string>): PartSteps<Uint8Array> {
  for (const text of texts) yield text === undefined ? undefined : Buffer.from(text);
}

/** Joins parts; yields to the event loop at their pauses. */
export async function joinInTurns(
  turns: LoopTurns,
  parts: Iterable<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const joined: Uint8Array[] = [];
  for (const part of parts) {
    if (part === undefined) await turns.pause();
    else joined.push(part);
  }
  await turns.pause();
  return Buffer.concat(joined);
}

/**
 * Sends typed plain data of a kind without storage (Status, discovery documents, reviews) as `group/version
 * kind`.
 */
export async function sendPlain(
  context: RequestContext,
  status: number,
  negotiated: Negotiated,
  group: string,
  version: string,
  kind: string,
  plain: object,
): Promise<void> {
  if (context.audit !== undefined) recordPlain(context.audit, group, kind, plain);
  if (negotiated.encoding === 'protobuf') {
    const schema = builtinSchema(context.scheme.types, group, version, kind);
    if (schema?.protobuf !== undefined) {
      const { value } = schema.fromPlain(plain);
      const typeMeta = { apiVersion: apiVersionOf(group, version), kind };
      await send(context, status, negotiated.contentType, encodeProtobufObject(schema, typeMeta, value));
      return;
    }
  }
  await send(
    context,
    status,
    negotiated.contentType,
    await encodeJsonDocument(context.turns, jsonText(plain), negotiated),
  );
}

function recordPlain(audit: AuditRecord, group: string, kind: string, plain: object): void {
  if (group === '' && kind === 'Status') audit.setResponseStatus(plain as Status);
  if (audit.recordsResponseBody) audit.setResponseBody(jsonText(plain));
}

/** Formats JSON in member order and escapes `<`, `>`, `&` and the line separators. */
export function jsonText(plain: unknown): string {
  return escapeHtml(stringify(plain));
}

/** A function that replaces values makes everything slow, and few objects have large integers, which need one. */
function stringify(plain: unknown): string {
  try {
    return JSON.stringify(plain);
  } catch {
    return JSON.stringify(plain, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));
  }
}

/** Sends an error as a Status in the best encoding that the client accepts, or indented JSON. */
export async function sendError(context: RequestContext, error: ApiError): Promise<void> {
  if (context.exchange.responded) {
    context.exchange.abort();
    return;
  }
  const { retryAfterSeconds } = error.details ?? {};
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0)
    context.exchange.setHeader('retry-after', String(retryAfterSeconds));
  const status = error.toStatus();
  let negotiated: Negotiated;
  try {
    negotiated = negotiateRequest(context, {
      encodings: errorEncodings(context, error),
      patterns: true,
      projections: [],
    });
  } catch {
    // As in kube-apiserver, the audit event has only the code of an answer that the client does not accept.
    return send(
      context,
      error.code,
      'application/json',
      await encodeJsonDocument(context.turns, jsonText(status), UNACCEPTED),
    );
  }
  await sendPlain(context, error.code, negotiated, '', 'v1', 'Status', status);
}

/** A method that a resource does not have is an error of the router. */
const errorEncodings = (context: RequestContext, { reason }: ApiError): readonly Encoding[] =>
  context.isHandled === true && reason !== 'MethodNotAllowed' ? servedEncodings(context) : STANDARD;

/** The form of an error for a client that accepts none. */
const UNACCEPTED: Negotiated = {
  encoding: 'json',
  projection: 'object',
  metaVersion: 'v1',
  contentType: 'application/json',
  pretty: true,
};
