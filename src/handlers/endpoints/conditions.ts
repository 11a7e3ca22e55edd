import type { Exchange } from '../../connection/exchange.ts';

/** What identifies the current state of a document. */
export interface DocumentState {
  /** The entity tag with its quotes; undefined for none. */
  readonly tag?: string;
  /** When the document was changed, in milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Evaluates the conditions of a request for a document (RFC 9110, section 13).
 * @returns 304 if the client has it, 412 if it does not want this state, undefined if it is to be sent
 */
export function refusedByCondition(exchange: Exchange, state: DocumentState): 304 | 412 | undefined {
  const reads = exchange.method === 'GET' || exchange.method === 'HEAD';
  const modified = Math.floor(state.modified / 1000) * 1000;
  const matched = exchange.header('if-match');
  if (matched !== undefined && matched !== '') {
    if (!namesTag(matched, state.tag, false)) return 412;
  } else {
    const since = timeOf(exchange.header('if-unmodified-since'));
    if (since !== undefined && modified > since) return 412;
  }
  const known = exchange.header('if-none-match');
  if (known !== undefined && known !== '') {
    if (!namesTag(known, state.tag, true)) return undefined;
    return reads ? 304 : 412;
  }
  const since = reads ? timeOf(exchange.header('if-modified-since')) : undefined;
  return since !== undefined && modified <= since ? 304 : undefined;
}

const TAG = /[\s,]*(?:(\*)|((?:W\/)?)("[!#-~\u0080-\uffff]*"))/y;

/** Whether a list of entity tags has one; it ends at the first that is malformed. */
function namesTag(list: string, tag: string | undefined, weakly: boolean): boolean {
  for (let at = 0; ; at = TAG.lastIndex) {
    TAG.lastIndex = at;
    const found = TAG.exec(list);
    if (found === null) return false;
    const [, any, weak, value] = found;
    if (any !== undefined || (value === tag && (weakly || weak === ''))) return true;
  }
}

function timeOf(header: string | undefined): number | undefined {
  const time = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : time;
}
