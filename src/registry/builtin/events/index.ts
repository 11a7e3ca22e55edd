import type { Strategy } from '../../strategy.ts';
import { eventStrategy } from '../core/event.ts';
import { eventConversion } from './event-conversion.ts';

/** Strategy of events.k8s.io/v1: core events with other field names. */
export const newEventStrategy = (ttlSeconds?: number): Strategy => ({
  ...eventStrategy(ttlSeconds),
  conversions: { v1: eventConversion },
});

export const strategies: Record<string, Strategy> = { events: newEventStrategy() };
