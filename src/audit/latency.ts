import type { Span } from '../observability/span.ts';
import { processClock } from '../time/clock.ts';
import { formatDuration } from '../time/duration.ts';

/** Requests that take longer have annotations that say where the time went, in milliseconds. */
const THRESHOLD = 500;
const PREFIX = 'apiserver.latency.k8s.io/';

/** The annotation of a span; the times of parallel webhooks are not added up, only the longest one counts. */
const LAYERS: ReadonlyMap<string, { readonly layer: string; readonly longest?: true }> = new Map([
  ['Call mutating webhook', { layer: 'mutating-webhook' }],
  ['Call validating webhook', { layer: 'validating-webhook', longest: true }],
  ['etcdserverpb.KV/Range', { layer: 'etcd' }],
  ['etcdserverpb.KV/Txn', { layer: 'etcd' }],
  ['SerializeObject', { layer: 'serialize-response-object' }],
]);

/**
 * The annotations of a slow request: the time in each layer, and the total. None for a request that is fast
 * enough. @param total milliseconds
 */
export function latencyAnnotations(span: Span | undefined, total: number): Map<string, string> {
  const annotations = new Map<string, string>();
  if (span === undefined || total <= THRESHOLD) return annotations;
  const layers = new Map<string, number>();
  const visit = (one: Span): void => {
    const known = LAYERS.get(one.name);
    if (known !== undefined) {
      const duration = (one.end === 0 ? processClock.monotonic() : one.end) - one.start;
      const before = layers.get(known.layer) ?? 0;
      layers.set(known.layer, known.longest === true ? Math.max(before, duration) : before + duration);
    }
    for (const child of one.children) visit(child);
  };
  visit(span);
  if (layers.size === 0) return annotations;
  for (const [layer, duration] of layers)
    if (duration > 0) annotations.set(`${PREFIX}${layer}`, shown(duration));
  annotations.set(`${PREFIX}total`, shown(total));
  return annotations;
}

const shown = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));
