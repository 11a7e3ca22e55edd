import type { RequestInfo } from '../request/request-info.ts';

const STREAMING_SUBRESOURCES = new Set(['attach', 'exec', 'portforward', 'proxy', 'log']);

/**
 * Whether the client controls the duration of the request: it has no deadline, is not limited by the in-flight
 * limits and has separate metrics.
 */
export const isLongRunning = ({ verb, subresource, isResource, path }: RequestInfo): boolean =>
  verb === 'watch' ||
  verb === 'proxy' ||
  (isResource ? STREAMING_SUBRESOURCES.has(subresource) : path.startsWith('/debug/pprof/'));
