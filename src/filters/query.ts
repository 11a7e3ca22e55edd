import type { Filter } from '../request/context.ts';
import { errors } from '../status/index.ts';

const SHOWN_CHARACTERS = 100;

/**
 * Rejects a malformed query, and one with too many parameters. kube-apiserver ignores the malformed pairs; a deletion could then lose its
 * selector or its `dryRun`.
 * @throws ApiError 400
 */
export const queryFilter: Filter = (context, next) => {
  const { malformed, exceedsMaximum } = context.query;
  if (exceedsMaximum) throw errors.badRequest('the URL has more than 10000 query parameters');
  if (malformed === undefined) return next(context);
  const excerpt =
    malformed.length > SHOWN_CHARACTERS ? `${malformed.slice(0, SHOWN_CHARACTERS)}...` : malformed;
  const problem = malformed.includes(';')
    ? 'invalid semicolon separator in query'
    : 'invalid URL escape in query';
  throw errors.badRequest(`${problem}: ${JSON.stringify(excerpt)}`);
};
