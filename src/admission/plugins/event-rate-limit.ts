import { BoundedMap } from '../../collections/bounded-map.ts';
import { aggregate } from '../../errors/aggregate.ts';
import type { Event } from '../../model/generated/core-v1.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { ApiError } from '../../status/api-error.ts';
import type { EventLimit, PluginConfiguration } from '../plugin-configuration.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

export interface EventRateLimitOptions extends Pick<PluginConfiguration, 'eventLimits'> {
  /** Monotonic clock in milliseconds. */
  readonly monotonic: () => number;
}

const DEFAULT_CACHE_SIZE = 4096;

/** What a limit counts separately. */
const KEYS: Readonly<Record<EventLimit['type'], (request: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source, involvedObject } = object as Event;
    return [
      source?.component,
      source?.host,
      involvedObject?.kind,
      involvedObject?.namespace,
      involvedObject?.name,
      involvedObject?.uid,
      involvedObject?.apiVersion,
    ].join('');
  },
};

/** Tokens of one key, as of a time. */
interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/**
 * Limits the rate of new and changed events. Each limit has a token bucket per key; the keys used last are
 * kept. Events of the group events.k8s.io are not limited, as in kube-apiserver.
 */
export function eventRateLimit({ eventLimits, monotonic }: EventRateLimitOptions): BuiltinPlugin {
  const enforcers = eventLimits.map((limit) => createEnforcer(limit, monotonic));
  return {
    handles: (operation, group, resource) =>
      (operation === 'CREATE' || operation === 'UPDATE') && group === '' && resource === 'events',
    validate(request) {
      if (request.dryRun) return;
      // Every limit counts the event, also when another one is reached.
      const reached = enforcers.flatMap((enforce) => enforce(request) ?? []);
      if (reached.length > 0)
        throw new ApiError(429, 'TooManyRequests', `Too many requests: ${aggregate(reached)}`, undefined);
    },
  };
}

/** @returns a function that takes a token, and returns a text if there is none */
function createEnforcer(
  { type, qps, burst, cacheSize }: EventLimit,
  monotonic: () => number,
): (request: AdmissionRequest) => string | undefined {
  const buckets = new BoundedMap<string, Bucket>(cacheSize || DEFAULT_CACHE_SIZE);
  return (request) => {
    const key = KEYS[type](request);
    const at = monotonic();
    const known = buckets.get(key);
    const tokens =
      known === undefined ? burst : Math.min(burst, known.tokens + ((at - known.at) * qps) / 1000);
    buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at });
    return tokens < 1 ? `limit reached on type ${type} for key ${key}` : undefined;
  };
}
