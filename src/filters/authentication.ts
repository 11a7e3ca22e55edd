import type { Authenticated, Credentials } from '../request/authenticator.ts';
import type { Filter } from '../request/context.ts';
import { errors } from '../status/index.ts';

export type Authenticate = (credentials: Credentials) => Authenticated | undefined | Promise<Authenticated | undefined>;

/** Finds out who makes the request. @throws ApiError 401 */
export function authenticationFilter(authenticate: Authenticate): Filter {
  return (context, next) => {
    const { exchange } = context;
    const credentials: Credentials = {
      header: (name) => exchange.header(name), headerValues: (name) => exchange.headerValues(name),
      get peerCertificates() { return exchange.peerCertificates; },
      path: context.info.path,
    };
    const proceed = (found: Authenticated | undefined) => {
      if (found === undefined) throw errors.unauthorized();
      context.user = found.user;
      return next(context);
    };
    const found = authenticate(credentials);
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  };
}
