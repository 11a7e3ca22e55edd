import { isJsonObject } from '../../model/json-object.ts';
import type { RequestContext } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { readBody } from '../request/body.ts';
import { jsonText, requireAccepted, send } from '../response/answer.ts';

/** Bytes of a request. */
const MAXIMUM_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json';

/** The members of a JSON object that a client sent. */
export type RequestMembers = ReadonlyMap<string, unknown>;

/** Credentials are among the answers: nobody keeps them, and audit events have no bodies of these paths. */
export async function answerUnkept(context: RequestContext, status: number, body: object): Promise<void> {
  requireAccepted(context, JSON_TYPE);
  context.exchange.setHeader('cache-control', 'no-store');
  await send(context, status, JSON_TYPE, `${jsonText(body)}\n`);
}

/** Reads a body that is a JSON object; an empty one has no members. @throws ApiError 400, 413, 415 */
export async function readMembers(context: RequestContext): Promise<RequestMembers> {
  const type = (context.exchange.header('content-type') ?? JSON_TYPE).split(';', 1)[0]!.trim();
  if (type !== JSON_TYPE) throw errors.unsupportedMediaType([JSON_TYPE]);
  const text = (await readBody(context, MAXIMUM_BYTES)).toString();
  if (text.trim() === '') return new Map();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw errors.badRequest(`the body is not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw errors.badRequest('the body is not a JSON object');
  return new Map(Object.entries(value));
}
