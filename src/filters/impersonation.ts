import type { Exchange } from '../connection/exchange.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { Filter } from '../request/context.ts';
import { headerKey, headerText } from '../request/header-text.ts';
import { errors } from '../status/index.ts';
import { attributesOf } from './attributes.ts';
import { disableSniffing } from './authorization-errors.ts';
import { ImpersonationModes, type WantedIdentity } from './impersonation-modes.ts';

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA_PREFIX = 'impersonate-extra-';

/** How the filter is configured. */
export interface ImpersonationOptions {
  /** Gate ConstrainedImpersonation. */
  readonly isConstrained: boolean;
  /** Whether authorization attributes include selectors (gate AuthorizeWithSelectors). */
  readonly selectors: boolean;
}

/**
 * Impersonates the requested identity if the user may: `impersonate` every part of it or, where that is constrained,
 * do what the request does as that identity.
 * @throws ApiError 403, 400 for parts without a user
 */
export function impersonationFilter(
  authorizer: Authorizer,
  { isConstrained, selectors }: ImpersonationOptions,
): Filter {
  const modes = new ImpersonationModes(authorizer, isConstrained);
  return (context, next) => {
    const requested = wantedIdentity(context.exchange);
    if (requested === undefined) return next(context);
    return modes.assume(requested, attributesOf(context, selectors)).then(
      ({ user, constraint }) => {
        context.audit?.setImpersonatedUser(user, constraint);
        context.user = user;
        return next(context);
      },
      (error) => {
        disableSniffing(context);
        throw error;
      },
    );
  };
}

/** Reads the identity from the headers; undefined if there is none. */
function wantedIdentity(exchange: Exchange): WantedIdentity | undefined {
  // The first value of a repeated header counts: joined values would form the name of a third user.
  const name = headerText(exchange.headerValues(USER)[0] ?? '');
  const groups = exchange.headerValues(GROUP).map(headerText);
  const uid = headerText(exchange.headerValues(UID)[0] ?? '');
  const extra = new Map<string, string[]>();
  // The keys of extra attributes are part of the header names, so all headers are searched; they need a user.
  if (name !== '' || groups.length > 0 || uid !== '' || hasExtra(exchange)) {
    for (const [header, value] of exchange.headers()) {
      if (!header.toLowerCase().startsWith(EXTRA_PREFIX)) continue;
      const key = headerKey(header.slice(EXTRA_PREFIX.length).toLowerCase());
      const values = extra.get(key);
      if (values === undefined) extra.set(key, [headerText(value)]);
      else values.push(headerText(value));
    }
  }
  if (name === '' && groups.length === 0 && uid === '' && extra.size === 0) return undefined;
  if (name === '')
    throw errors.badRequest(
      'requested impersonation of groups, a uid or extra attributes without impersonating a user: send Impersonate-User too',
    );
  return { name, uid, groups, extra };
}

function hasExtra(exchange: Exchange): boolean {
  for (const [header] of exchange.headers()) if (header.toLowerCase().startsWith(EXTRA_PREFIX)) return true;
  return false;
}
