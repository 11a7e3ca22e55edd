import type { Exchange } from '../connection/exchange.ts';
import { inSpan } from '../observability/span.ts';
import type { Authenticated, Credentials } from '../request/authenticator.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import { ANONYMOUS_USER, GROUP_UNAUTHENTICATED, type UserInfo } from '../request/user.ts';
import { errors } from '../status/index.ts';

export type Authenticate = (
  credentials: Credentials,
) => Authenticated | undefined | Promise<Authenticated | undefined>;

/** Users of in-process requests, by exchange, so that a remote client cannot claim them. */
export interface ProcessIdentities {
  get(exchange: Exchange): UserInfo | undefined;
}

export interface AuthenticationFilterOptions {
  readonly authenticate: Authenticate;
  readonly identities: ProcessIdentities;
  /** The identity with which the server writes what it needs itself. */
  readonly serverUser?: UserInfo | undefined;
  /** Whether an HTTP/2 connection ends after an unauthenticated request (gate UnauthenticatedHTTP2DOSMitigation). */
  readonly closesUnauthenticated: boolean;
}

const isAnonymous = ({ name, groups }: UserInfo): boolean =>
  name === ANONYMOUS_USER || groups.includes(GROUP_UNAUTHENTICATED);

const NONE: readonly [] = [];

/**
 * What a request has to authenticate itself. A class: an object literal with a getter has a hidden class of its own,
 * which V8 keeps, with the whole request, until the next full collection.
 */
class RequestCredentials implements Credentials {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  get peerCertificates(): Credentials['peerCertificates'] {
    return this.#context.exchange.peerCertificates;
  }

  get path(): string {
    return this.#context.info.path;
  }

  warn(text: string): void {
    this.#context.warnings.add(text);
  }

  header(name: string): string | undefined {
    return this.#context.exchange.header(name);
  }

  headerValues(name: string): readonly string[] {
    return this.#context.exchange.headerValues(name);
  }

  headers(): Iterable<readonly [string, string]> {
    return this.#context.exchange.headers();
  }
}

/**
 * Authenticates the request.
 * @throws ApiError 401
 */
export function authenticationFilter(options: AuthenticationFilterOptions): Filter {
  const { authenticate, identities, serverUser, closesUnauthenticated } = options;
  return (context, next) => {
    const { exchange } = context;
    const own = exchange.protocol === 'in-process' ? identities.get(exchange) : undefined;
    if (own !== undefined) {
      context.user = own;
      context.isOwn = true;
      context.isOwnWrite = own === serverUser;
      return next(context);
    }
    const credentials = new RequestCredentials(context);
    const proceed = (found: Authenticated | undefined) => {
      if (
        closesUnauthenticated &&
        exchange.protocol === 'HTTP/2.0' &&
        (found === undefined || isAnonymous(found.user))
      )
        exchange.setHeader('Connection', 'close');
      if (found === undefined) throw errors.unauthorized();
      context.user = found.user;
      for (const [key, value] of found.annotations ?? NONE) context.annotations.set(key, value);
      for (const warning of found.warnings ?? NONE) context.warnings.add(warning);
      return next(context);
    };
    const found = inSpan(context.span, 'authentication', () => authenticate(credentials));
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  };
}
