import type { Strategy } from '../../strategy.ts';
import { eventStrategy, newEventSelectors } from '../core/event.ts';
import { eventConversion } from './event-conversion.ts';

/** events.k8s.io/v1: the core group's events under other names. */
export const newEventStrategy = (ttlSeconds?: number): Strategy => ({
  ...eventStrategy(ttlSeconds),
  conversions: { v1: eventConversion },
  selectableFields: newEventSelectors,
});

export const strategies: Record<string, Strategy> = { events: newEventStrategy() };
