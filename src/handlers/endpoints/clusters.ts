import { isJsonObject } from '../../model/json-object.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { readBody } from '../request/body.ts';
import { jsonText, requireAccepted, send } from '../response/answer.ts';

/** Bytes of a request. */
const MAXIMUM_BYTES = 64 * 1024;
const ROOT = '/clusters';
const JSON_TYPE = 'application/json';

/** The members of a JSON object that a client sent. */
export type RequestMembers = ReadonlyMap<string, unknown>;

/** What can be asked of one cluster; answers are written as JSON. @throws ApiError */
export interface ClusterOperations {
  show(name: string): object;
  /** @param cascade also those that were forked from it */
  remove(name: string, cascade: boolean): Promise<object>;
  reset(name: string): Promise<object>;
  showClock(name: string): object;
  changeClock(name: string, change: RequestMembers): Promise<object>;
}

/** The clusters that a server holds besides the first one. */
export interface ServedClusters extends ClusterOperations {
  list(): object;
  /** The answer has credentials. */
  create(request: RequestMembers): Promise<object>;
}

/** The paths `/clusters` and `/clusters/NAME`, with what is done to one cluster. */
export function clusterPaths(
  opened: () => Promise<ServedClusters>,
): readonly (readonly [path: string, handler: Handler])[] {
  const collection: Handler = async (context) => {
    const clusters = await opened();
    const { method } = context.exchange;
    if (method === 'GET') return answer(context, 200, clusters.list());
    if (method === 'POST') return answer(context, 201, await clusters.create(await readMembers(context)));
    throw errors.methodNotAllowed();
  };
  const one: Handler = async (context) => {
    const [name = '', operation] = context.info.path.slice(ROOT.length + 1).split('/');
    return answer(context, 200, await operate(context, await opened(), name, operation));
  };
  return [
    [ROOT, collection],
    [`${ROOT}/*`, one],
  ];
}

async function operate(
  context: RequestContext,
  clusters: ClusterOperations,
  name: string,
  operation: string | undefined,
): Promise<object> {
  const { method } = context.exchange;
  switch (`${method} ${operation ?? ''}`) {
    case 'GET ':
      return clusters.show(name);
    case 'DELETE ':
      return clusters.remove(name, context.query.boolean('cascade'));
    case 'POST reset':
      return clusters.reset(name);
    case 'GET clock':
      return clusters.showClock(name);
    case 'POST clock':
      return clusters.changeClock(name, await readMembers(context));
    default:
      throw errors.methodNotAllowed();
  }
}

/** Credentials are among the answers: nobody keeps them, and audit events have no bodies of these paths. */
async function answer(context: RequestContext, status: number, body: object): Promise<void> {
  requireAccepted(context, JSON_TYPE);
  context.exchange.setHeader('cache-control', 'no-store');
  await send(context, status, JSON_TYPE, `${jsonText(body)}\n`);
}

/** Reads a body that is a JSON object; an empty one has no members. @throws ApiError 400, 413, 415 */
async function readMembers(context: RequestContext): Promise<RequestMembers> {
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
