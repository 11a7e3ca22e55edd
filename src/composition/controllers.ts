import { ConfigurationError } from '../config/errors.ts';
import { KUBERNETES_VERSION } from '../config/version.ts';
import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import { createInProcessExchange } from '../connection/in-process.ts';
import type { Resource, Send } from '../controllers/client.ts';
import { systemClock } from '../controllers/clock.ts';
import { type RunningControllers, startControllers } from '../controllers/manager.ts';
import { selectControllers } from '../controllers/selection.ts';
import type { Logger } from '../observability/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { UserInfo } from '../request/user.ts';

export interface ServerControllersOptions {
  readonly handle: ExchangeHandler;
  /** Where the authentication filter finds who makes a request of this process. */
  readonly identities: WeakMap<Exchange, UserInfo>;
  readonly selected: ReadonlySet<string>;
  readonly registry: Registry;
  readonly trust: string;
  readonly logger: Logger;
}

/** @throws ConfigurationError for a name that is no controller */
export function chosenControllers(list: readonly string[]): ReadonlySet<string> {
  try {
    return selectControllers(list);
  } catch (error) {
    throw new ConfigurationError(`--controllers: ${(error as Error).message}`);
  }
}

/** Starts the controllers over the server's own filter chain. */
export function runControllers({ handle, identities, selected, registry, trust, logger }: ServerControllersOptions): RunningControllers {
  const send =
    (user: UserInfo): Send =>
    (request) => {
      const { exchange, response } = createInProcessExchange(request);
      identities.set(exchange, user);
      handle(exchange);
      return response;
    };
  return startControllers({
    send,
    selected,
    trust,
    namespacedResources: () => namespacedResources(registry),
    clock: systemClock,
    logger,
    version: KUBERNETES_VERSION,
  });
}

/** Resources that several groups or versions serve are stored once, and named once. */
function namespacedResources({ catalog }: Registry): Resource[] {
  const byPrefix = new Map<string, Resource>();
  for (const { namespaced, verbs, storage, group, version, resource, kind } of catalog.resources) {
    if (!namespaced || storage === undefined || !verbs.includes('deletecollection') || !verbs.includes('list') || byPrefix.has(storage.prefix)) continue;
    byPrefix.set(storage.prefix, { group, version, resource, kind });
  }
  return [...byPrefix.values()];
}
