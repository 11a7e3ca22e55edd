import type { Exchange } from '../connection/exchange.ts';
import { inSpan } from '../observability/span.ts';
import type { Authenticated, Credentials } from '../request/authenticator.ts';
import type { Filter } from '../request/context.ts';
import type { UserInfo } from '../request/user.ts';
import { errors } from '../status/index.ts';

export type Authenticate = (
  credentials: Credentials,
) => Authenticated | undefined | Promise<Authenticated | undefined>;

/** Users of in-process requests, by exchange, so that a remote client cannot claim them. */
export interface ProcessIdentities {
  get(exchange: Exchange): UserInfo | undefined;
}

/**
 * Authenticates the request.
 * @param serverUser the identity with which the server writes what it needs itself
 * @throws ApiError 401
 */
export function authenticationFilter(
  authenticate: Authenticate,
  identities: ProcessIdentities,
  serverUser?: UserInfo,
): Filter {
  return (context, next) => {
    const { exchange } = context;
    const own = exchange.protocol === 'in-process' ? identities.get(exchange) : undefined;
    if (own !== undefined) {
      context.user = own;
      context.isOwnWrite = own === serverUser;
      return next(context);
    }
    const credentials: Credentials = {
      header: (name) => exchange.header(name),
      headerValues: (name) => exchange.headerValues(name),
      headers: () => exchange.headers(),
      get peerCertificates() {
        return exchange.peerCertificates;
      },
      path: context.info.path,
    };
    const proceed = (found: Authenticated | undefined) => {
      if (found === undefined) throw errors.unauthorized();
      context.user = found.user;
      return next(context);
    };
    const found = inSpan(context.span, 'authentication', () => authenticate(credentials));
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  };
}
