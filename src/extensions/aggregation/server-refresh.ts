import type { WorkQueue } from '../../reconcile/work-queue.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { Route, RoutingTable } from './routing-table.ts';

const REFRESH_MILLISECONDS = 60_000;

/** Identifies the server of a route. */
export const serverOf = ({ service: { namespace, name, port } }: Pick<Route, 'service'>): string =>
  `${namespace}/${name}:${port}`;

/** Adds all available extension servers to a queue, at once and every minute. @returns ends that */
export function refreshServers(
  routes: Pick<RoutingTable, 'routes'>,
  queue: Pick<WorkQueue, 'add'>,
  clock: Pick<ProcessClock, 'after'>,
): () => void {
  let cancel: () => void;
  const refresh = (): void => {
    for (const route of routes.routes.values()) if (route.available) queue.add(serverOf(route));
    cancel = clock.after(REFRESH_MILLISECONDS, refresh);
  };
  refresh();
  return () => cancel();
}
