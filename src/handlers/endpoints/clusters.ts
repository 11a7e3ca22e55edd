import type { Handler, RequestContext } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { operateOnFaults, type ServedFaults } from './faults.ts';
import { answerUnkept, type RequestMembers, readMembers } from './members.ts';

const ROOT = '/clusters';

/** What can be asked of one cluster; answers are written as JSON. @throws ApiError */
export interface ClusterOperations {
  show(name: string): object;
  /** @param cascade also those that were forked from it */
  remove(name: string, cascade: boolean): Promise<object>;
  reset(name: string): Promise<object>;
  showClock(name: string): object;
  changeClock(name: string, change: RequestMembers): Promise<object>;
  faults(name: string): ServedFaults;
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
    if (method === 'GET') return answerUnkept(context, 200, clusters.list());
    if (method === 'POST')
      return answerUnkept(context, 201, await clusters.create(await readMembers(context)));
    throw errors.methodNotAllowed();
  };
  const one: Handler = async (context) => {
    const [name = '', operation] = context.info.path.slice(ROOT.length + 1).split('/');
    return answerUnkept(context, 200, await operate(context, await opened(), name, operation));
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
    case 'GET faults':
    case 'POST faults':
    case 'DELETE faults':
      return operateOnFaults(context, clusters.faults(name));
    default:
      throw errors.methodNotAllowed();
  }
}
