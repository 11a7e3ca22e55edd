import type { Filter } from '../request/context.ts';

/**
 * Sets `Strict-Transport-Security` on every response.
 * @param directives of `--strict-transport-security-directives`
 */
export function transportSecurityFilter(directives: readonly string[]): Filter {
  const value = directives.join('; ');
  return (context, next) => {
    context.exchange.setHeader('strict-transport-security', value);
    return next(context);
  };
}
