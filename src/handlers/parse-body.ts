import type { ParsedDocument } from '../codec/json-parse.ts';
import { parsingJson } from '../codec/json-parse.ts';
import { YamlThreadBusyError, yamlThread } from '../codec/yaml-thread.ts';
import type { RequestContext } from '../request/context.ts';
import { inTurns, takeInHand } from '../request/turns.ts';
import { errors } from '../status/index.ts';
import type { Encoding } from './negotiation.ts';

/** A plain tree and the paths of members that stood twice. */
export interface PlainBody {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/** YAML above this is read by another thread: it takes about a microsecond a byte. */
const LARGE_YAML_BYTES = 32 * 1024;
const RETRY_SECONDS = 5;

/** Parses JSON, YAML or CBOR, in turns with others where it is long. @throws DecodeError, ApiError 429 */
export async function parsePlain(context: Pick<RequestContext, 'bytesInHand'>, encoding: Encoding, body: Buffer): Promise<PlainBody> {
  switch (encoding) {
    case 'yaml':
      return parseYamlBody(context, body);
    case 'cbor':
      return (await import('../codec/cbor.ts')).parseCbor(body);
    default:
      return parseJsonBody(context, body);
  }
}

/** @throws DecodeError */
export async function parseJsonBody(context: Pick<RequestContext, 'bytesInHand'>, body: Uint8Array): Promise<ParsedDocument> {
  const parsed = await inTurns(parsingJson(body));
  takeInHand(context, WORK_PER_PART * (parsed.parts ?? 0));
  return parsed;
}

/** Bytes of text that take as long as one part of a document. */
const WORK_PER_PART = 48;

async function parseYamlBody(context: Pick<RequestContext, 'bytesInHand'>, body: Buffer): Promise<PlainBody> {
  const { parseYaml, parsingYamlAsJson } = await import('../codec/yaml.ts');
  if (body.length < LARGE_YAML_BYTES) return parseYaml(body);
  const json = await inTurns(parsingYamlAsJson(body));
  if (json !== undefined) {
    takeInHand(context, WORK_PER_PART * (json.parts ?? 0));
    return json;
  }
  const read = await yamlThread.read(body).catch((error) => {
    throw error instanceof YamlThreadBusyError ? errors.tooManyRequests('too many large YAML documents, please try again later', RETRY_SECONDS) : error;
  });
  if (read === undefined) return parseYaml(body);
  return { value: (await parseJsonBody(context, read.json)).value, duplicates: read.duplicates };
}
