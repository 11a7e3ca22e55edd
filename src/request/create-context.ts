import type { Exchange } from '../connection/exchange.ts';
import type { Scheme } from '../model/scheme.ts';
import type { LoopTurns } from '../steps/turns.ts';
import { processClock } from '../time/clock.ts';
import type { RequestContext, ResponseSettings } from './context.ts';
import { asReceived, decodePercent } from './percent-encoding.ts';
import { Query } from './query.ts';
import { parseRequestInfo } from './request-info.ts';
import { ANONYMOUS_USER, GROUP_UNAUTHENTICATED, NO_EXTRA, type UserInfo } from './user.ts';

const NOBODY: UserInfo = { name: ANONYMOUS_USER, uid: '', groups: [GROUP_UNAUTHENTICATED], extra: NO_EXTRA };
const DEFAULT_RESPONSES: ResponseSettings = { compression: true, cbor: false };
const NO_QUERY = new Query('');

/**
 * Parses the target of a request. Undefined if its path has a malformed escape.
 * @param turns of the event loop, until the request is classified
 * @param scheme the release that the cluster implements
 */
export function createContext(
  exchange: Exchange,
  turns: LoopTurns,
  scheme: Scheme,
  responses: ResponseSettings = DEFAULT_RESPONSES,
): RequestContext | undefined {
  // In-process targets are text, not bytes.
  const target = exchange.protocol === 'in-process' ? asReceived(exchange.target) : exchange.target;
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? NO_QUERY : new Query(target.slice(mark + 1));
  const path = decodePercent(rawPath, false);
  if (path === undefined) return undefined;
  const info = parseRequestInfo(exchange.method, path, {
    watch: query.boolean('watch'),
    fieldSelectorName: selectedName(query.get('fieldSelector')),
  });
  return {
    exchange,
    responses,
    scheme,
    query,
    info,
    arrived: processClock.monotonic(),
    deadline: Number.POSITIVE_INFINITY,
    user: NOBODY,
    attributes: undefined,
    auditId: '',
    audit: undefined,
    warnings: new Set(),
    annotations: new Map(),
    workingSetBytes: 0,
    span: undefined,
    isHandled: false,
    status: 0,
    turns,
    queueMilliseconds: 0,
  };
}

/** The name that a field selector narrows the request to, for authorization. */
function selectedName(selector: string): string | undefined {
  if (selector === '' || !selector.includes('metadata.name')) return undefined;
  const match = /(?:^|,)metadata\.name==?([^,\\=]+)(?:,|$)/.exec(selector);
  return match?.[1];
}
