import { processClock } from '../time/clock.ts';
import type { Span } from './span.ts';

/**
 * Milliseconds that a request spent in admission webhooks: mutating ones run one after the other, of the
 * validating ones, which run at once, the longest counts.
 */
export function webhookMilliseconds(span: Span): number {
  let mutating = 0;
  let validating = 0;
  const visit = ({ children }: Span): void => {
    for (const child of children) {
      const duration = (child.end === 0 ? processClock.monotonic() : child.end) - child.start;
      if (child.name === 'Call mutating webhook') mutating += duration;
      else if (child.name === 'Call validating webhook') validating = Math.max(validating, duration);
      else if (child.children.length > 0) visit(child);
    }
  };
  visit(span);
  return mutating + validating;
}
