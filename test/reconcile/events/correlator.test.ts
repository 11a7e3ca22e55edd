import { describe, expect, it } from 'vitest';
import { type CountedEvent, EventCorrelator } from '../../../src/reconcile/events/correlator.ts';

const START = 1_800_000_000_000;

const occurrence = (message: string, involved = 'pod') => ({
  involved,
  type: 'Normal',
  reason: 'Created',
  message,
});

/** The texts and counts of events that are observed in turn. */
function observed(correlator: EventCorrelator, messages: readonly string[], step = 0): string[] {
  return messages.map((message, index) => {
    const event = correlator.observe(occurrence(message), START + index * step);
    return event === undefined ? '-' : `${event.message} ${event.count}`;
  });
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `pod ${index}`);

describe('EventCorrelator', () => {
  it('counts equal events, and keeps the time of the first one', () => {
    const correlator = new EventCorrelator();
    const events = [0, 1000, 2000].map((after) => correlator.observe(occurrence('same'), START + after));
    expect(new Set(events).size).toBe(1);
    expect(events[0]).toEqual<CountedEvent>({ message: 'same', count: 3, first: START, last: START + 2000 });
  });

  it('combines the tenth and later ones of different messages', () => {
    const texts = observed(new EventCorrelator(), names(12));
    expect(texts.slice(0, 9)).toEqual(names(9).map((name) => `${name} 1`));
    expect(texts.slice(9)).toEqual(
      [9, 10, 11].map((index) => `(combined from similar events): pod ${index} ${index - 8}`),
    );
  });

  it('does not combine what lies more than ten minutes apart', () =>
    expect(observed(new EventCorrelator(), names(12), 600_001)).toEqual(
      names(12).map((name) => `${name} 1`),
    ));

  it('drops the events of an object after 25, and lets one pass each five minutes', () => {
    const correlator = new EventCorrelator();
    const texts = observed(correlator, Array(30).fill('same'));
    expect(texts.filter((text) => text === '-').length).toBe(5);
    expect(correlator.observe(occurrence('same', 'other'), START)?.count).toBe(1);
    expect(correlator.observe(occurrence('same'), START + 299_000)).toBeUndefined();
    expect(correlator.observe(occurrence('same'), START + 301_000)?.count).toBe(32);
  });

  it('does not refill when the time of the cluster goes back', () => {
    const correlator = new EventCorrelator();
    observed(correlator, Array(25).fill('same'));
    expect(correlator.observe(occurrence('same'), START - 3_600_000)).toBeUndefined();
  });
});
