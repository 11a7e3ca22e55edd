import type { RequestContext } from '../request/context.ts';
import type { Query } from '../request/query.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** The work that a request is expected to cause. */
export interface WorkEstimate {
  /** Seats occupied while the request is served. */
  readonly initialSeats: number;
  /** Seats occupied afterwards, while its watch events are delivered. */
  readonly finalSeats: number;
  /** Milliseconds for which the final seats are occupied; the client does not wait for them. */
  readonly finalMilliseconds: number;
}

/** What the estimate of a request reads. */
export interface WorkSources {
  /** Number of stored objects; undefined if it is unknown. */
  objects(info: RequestInfo): number | undefined;
  /** Number of watches that a write may concern. */
  watches(info: RequestInfo): number;
  /** Whether a watch may begin with a list (gate WatchList). */
  readonly watchList: boolean;
}

/** The most seats of one request. */
export const MAXIMUM_SEATS = 10;

const OBJECTS_PER_SEAT = 100;
const WATCHES_PER_SEAT = 10;
/** Milliseconds for which a seat delivers the events of a write. */
const EVENT_MILLISECONDS = 5;
const MUTATING_VERBS = new Set(['create', 'update', 'patch', 'delete']);

const seats = Array.from({ length: MAXIMUM_SEATS + 1 }, (_, count): WorkEstimate => {
  return Object.freeze({ initialSeats: count, finalSeats: 0, finalMilliseconds: 0 });
});
/** The estimate of a request without further information. */
const ONE_SEAT = seats[1]!;

/**
 * Estimates the work of a request as kube-apiserver does: lists and watches with initial events by the number
 * of objects, writes by the number of watches.
 * @param maximum the most seats that the priority level gives to one request, 1 to {@link MAXIMUM_SEATS}
 * @param onWatches called with the number of watches that a write concerns
 */
export function estimateWork(
  context: Pick<RequestContext, 'info' | 'query'>,
  sources: WorkSources,
  maximum: number,
  onWatches: (watches: number) => void,
): WorkEstimate {
  const { info, query } = context;
  const { verb } = info;
  if (verb === 'list' || (verb === 'watch' && sources.watchList))
    return estimateList(info, query, sources, maximum);
  return MUTATING_VERBS.has(verb) ? estimateWrite(info, sources, maximum, onWatches) : ONE_SEAT;
}

function estimateList(info: RequestInfo, query: Query, sources: WorkSources, maximum: number): WorkEstimate {
  // One object by its name is read, not searched.
  if (info.name !== '') return ONE_SEAT;
  const limitText = query.get('limit');
  const limit = Number(limitText);
  // The request will be rejected.
  if (limitText !== '' && !Number.isSafeInteger(limit)) return seats[maximum]!;
  if (info.verb === 'watch' && !query.boolean('sendInitialEvents')) return ONE_SEAT;
  const stored = sources.objects(info);
  if (stored === undefined) return ONE_SEAT;
  const page = limit > 0 && limit < stored ? limit : stored;
  const processed =
    info.verb === 'watch' || isServedFromCache(query, limit)
      ? stored
      : query.get('fieldSelector') !== '' || query.get('labelSelector') !== ''
        ? stored + page
        : 2 * page;
  return seats[Math.min(Math.max(Math.ceil(processed / OBJECTS_PER_SEAT), 1), maximum)]!;
}

/** Whether kube-apiserver reads the list from its watch cache: neither a continued nor an exact one. */
function isServedFromCache(query: Query, limit: number): boolean {
  const version = query.get('resourceVersion');
  const match = query.get('resourceVersionMatch');
  const isExact = limit > 0 && match === '' && version !== '' && version !== '0';
  return query.get('continue') === '' && !isExact && (match === '' || match === 'NotOlderThan');
}

function estimateWrite(
  info: RequestInfo,
  sources: WorkSources,
  maximum: number,
  onWatches: (watches: number) => void,
): WorkEstimate {
  // A token causes no event.
  if (info.resource === 'serviceaccounts' && info.subresource === 'token') return ONE_SEAT;
  const watches = sources.watches(info);
  onWatches(watches);
  if (watches < WATCHES_PER_SEAT) return ONE_SEAT;
  const wanted = Math.ceil(watches / WATCHES_PER_SEAT);
  const finalSeats = Math.min(wanted, maximum);
  return { initialSeats: 1, finalSeats, finalMilliseconds: (wanted * EVENT_MILLISECONDS) / finalSeats };
}
