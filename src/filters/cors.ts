import { RE2JS } from 're2js';
import type { Filter } from '../request/context.ts';

const ALLOWED_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['access-control-allow-methods', 'POST, GET, OPTIONS, PUT, DELETE, PATCH'],
  [
    'access-control-allow-headers',
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  ],
  ['access-control-expose-headers', 'Date'],
  ['access-control-allow-credentials', 'true'],
];

/**
 * Adds CORS headers for allowed origins and responds to their preflight requests (OPTIONS) with 204.
 * @param patterns RE2 expressions of `--cors-allowed-origins`, matched anywhere in the `Origin` header
 */
export function corsFilter(patterns: readonly string[]): Filter {
  const expressions = patterns.map((pattern) => RE2JS.compile(pattern));
  return (context, next) => {
    const { exchange } = context;
    const origin = exchange.header('origin') ?? '';
    if (origin === '' || !expressions.some((expression) => expression.matcher(origin).find()))
      return next(context);
    exchange.setHeader('access-control-allow-origin', origin);
    for (const [name, value] of ALLOWED_HEADERS) exchange.setHeader(name, value);
    if (exchange.method !== 'OPTIONS') return next(context);
    context.status = 204;
    exchange.respond(204, undefined, '');
  };
}
