import type { Logger } from '../../observability/log.ts';
import type { Handler, RequestContext } from '../../request/context.ts';
import { send } from '../response/answer.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';
const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** One health check. */
export interface HealthCheck {
  readonly name: string;
  /** Returns the error for the log and the path of the check, or undefined when the check passes. */
  readonly check: () => Error | undefined | Promise<Error | undefined>;
  /** The endpoints that include the check; all by default. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** Counts as passed on `/livez` during the grace period. */
  readonly startup?: boolean;
}

export interface HealthOptions {
  /** In display order. */
  readonly checks: readonly HealthCheck[];
  /** `--livez-grace-period` in milliseconds, counted from now. */
  readonly livezGracePeriod: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Called with each result of a check that ran. */
  readonly onResult?: (endpoint: HealthEndpoint, check: string, passed: boolean) => void;
}

/** A startup step that must finish before the server is healthy. */
export interface StartupStep {
  readonly check: HealthCheck;
  finish(): void;
}

/** @param name the displayed name, for example `poststarthook/rbac/bootstrap-roles` */
export function startupStep(name: string): StartupStep {
  let finished = false;
  return {
    check: { name, startup: true, check: () => (finished ? undefined : new Error('not finished')) },
    finish: () => {
      finished = true;
    },
  };
}

/**
 * Creates the health endpoints. `paths` are the routes: `/<endpoint>` and `/<endpoint>/<check>` for single
 * checks.
 */
export function createHealth(options: HealthOptions): {
  readonly paths: readonly (readonly [path: string, handler: Handler])[];
} {
  const graceEnds = options.now() + options.livezGracePeriod;
  const paths = ENDPOINTS.flatMap((endpoint) => {
    const checks = options.checks
      .filter(({ endpoints = ENDPOINTS }) => endpoints.includes(endpoint))
      .map((check) =>
        endpoint === 'livez' && check.startup === true
          ? graceful(check, () => options.now() < graceEnds)
          : check,
      );
    return [
      [`/${endpoint}`, (context: RequestContext) => answerAll(context, endpoint, checks, options)] as const,
      ...checks.map(
        (check) =>
          [`/${endpoint}/${check.name}`, (context: RequestContext) => answerOne(context, check)] as const,
      ),
    ];
  });
  return { paths };
}

const graceful = (check: HealthCheck, inGrace: () => boolean): HealthCheck => ({
  ...check,
  check: () => (inGrace() ? undefined : check.check()),
});

/** Sends one line per check. The reason of a failure is only logged: the endpoint is public. */
async function answerAll(
  context: RequestContext,
  endpoint: HealthEndpoint,
  checks: readonly HealthCheck[],
  { logger, onResult }: HealthOptions,
): Promise<void> {
  const { query, exchange } = context;
  const excluded = new Set(query.all('exclude'));
  const failures: string[] = [];
  let shown = '';
  for (const { name, check } of checks) {
    if (excluded.delete(name)) {
      shown += `[+]${name} excluded: ok\n`;
      continue;
    }
    const error = await check();
    onResult?.(endpoint, name, error === undefined);
    shown += error === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
    if (error !== undefined) failures.push(`[-]${name} failed: ${error.message}`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((name) => JSON.stringify(name));
    shown += `warn: some health checks cannot be excluded: no matches for ${names.join(',')}\n`;
  }
  exchange.setHeader('x-content-type-options', 'nosniff');
  if (failures.length > 0) {
    logger.info(`${endpoint} check failed`, { checks: failures.join('\n') });
    return send(context, 500, PLAIN_TEXT, `${shown}${endpoint} check failed\n`);
  }
  return send(context, 200, PLAIN_TEXT, query.has('verbose') ? `${shown}${endpoint} check passed\n` : 'ok');
}

async function answerOne(context: RequestContext, check: HealthCheck): Promise<void> {
  const error = await check.check();
  if (error === undefined) return send(context, 200, PLAIN_TEXT, 'ok');
  context.exchange.setHeader('x-content-type-options', 'nosniff');
  return send(context, 500, PLAIN_TEXT, `internal server error: ${error.message}\n`);
}
