import type { Handler, RequestContext } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { answerUnkept, readMembers } from './members.ts';

/** The faults of one cluster; answers are written as JSON. @throws ApiError */
export interface ServedFaults {
  list(): object;
  add(rule: object): object;
  /** @param id empty: all */
  remove(id: string): object;
}

/** Handles GET, POST and DELETE of faults. @returns the answer */
export async function operateOnFaults(context: RequestContext, faults: ServedFaults): Promise<object> {
  switch (context.exchange.method) {
    case 'GET':
      return faults.list();
    case 'POST':
      return faults.add(Object.fromEntries(await readMembers(context)));
    case 'DELETE':
      return faults.remove(context.query.get('id'));
    default:
      throw errors.methodNotAllowed();
  }
}

/** The path of the faults of the first cluster. */
export const faultPaths = (faults: ServedFaults): readonly (readonly [path: string, handler: Handler])[] => [
  [
    '/faults',
    async (context) => {
      const body = await operateOnFaults(context, faults);
      await answerUnkept(context, context.exchange.method === 'POST' ? 201 : 200, body);
    },
  ],
];
