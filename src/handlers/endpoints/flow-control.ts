import type { Handler, RequestContext } from '../../request/context.ts';
import { send } from '../response/answer.ts';
import { pageNotFound } from '../router.ts';

const ROOT = '/debug/api_priority_and_fairness/';

/** A table as text. */
type WriteTable = (context: RequestContext) => string;

/** Serves the debug tables of priority and fairness. @param tables by name */
export function flowControlPaths(
  tables: ReadonlyMap<string, WriteTable>,
): (readonly [path: string, handler: Handler])[] {
  return [
    [
      `${ROOT}*`,
      (context) => {
        const write = tables.get(context.info.path.slice(ROOT.length));
        if (write === undefined) return pageNotFound(context);
        return send(context, 200, 'text/plain; charset=utf-8', write(context));
      },
    ],
  ];
}
