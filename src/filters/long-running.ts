import type { RequestInfo } from '../request/request-info.ts';

const STREAMING_SUBRESOURCES = new Set(['attach', 'exec', 'portforward', 'proxy', 'log']);

/**
 * Whether a request lasts as long as its client wants: it takes no place among those in flight and is counted
 * by itself.
 */
export const isLongRunning = ({ verb, subresource }: RequestInfo): boolean =>
  verb === 'watch' || verb === 'proxy' || STREAMING_SUBRESOURCES.has(subresource);
