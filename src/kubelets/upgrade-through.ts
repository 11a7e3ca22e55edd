import type { Backend } from '../outbound/address-targets.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { passUpgrade } from '../proxy/upgrade.ts';
import type { RequestContext } from '../request/context.ts';
import { errors } from '../status/index.ts';
import { upgradeFailure } from './dial-text.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { untilFinished } from './until-finished.ts';

/**
 * Passes a request that changes its protocol on, and then the bytes of both sides.
 * @param path and query at the server
 * @throws ApiError for a server that cannot be reached or does not change its protocol
 */
export async function upgradeThrough(
  context: RequestContext,
  { target }: Backend,
  path: string,
): Promise<void> {
  const { exchange } = context;
  try {
    const response = await target.open({
      method: exchange.method,
      path,
      headers: {
        ...forwardedHeaders(exchange),
        connection: 'Upgrade',
        upgrade: exchange.header('upgrade') ?? '',
      },
      signal: untilFinished(exchange),
    });
    const problem = await passUpgrade(context, response);
    if (problem !== undefined) throw errors.failed(problem);
  } catch (error) {
    if (error instanceof OutboundError) throw errors.failed(upgradeFailure(error));
    throw error;
  }
}
