import { describe, expect, it } from 'vitest';
import { CacheEvent, CacheRecord, type EventType } from '../../../src/cache/record.ts';
import { FramePreparation } from '../../../src/handlers/response/frame-preparation.ts';
import type { EventEncoder } from '../../../src/handlers/response/watch/event-encoder.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { plainReader } from '../../cache/support.ts';
import { loopTurns } from '../../support/loop-turns.ts';

const recordAt = (revision: number): CacheRecord =>
  new CacheRecord('/r/a', revision, new Uint8Array(3), plainReader);
const eventOf = (record: CacheRecord): CacheEvent =>
  new CacheEvent(record.revision, record.key, record, undefined);

/** An encoder whose preparation makes another record in two steps. */
function encoder(made: CacheRecord[], fails = false): EventEncoder {
  function* prepare(_type: EventType, record: CacheRecord): Steps<CacheRecord> {
    yield;
    if (fails) throw new Error('broken');
    const shown = recordAt(record.revision);
    made.push(shown);
    return shown;
  }
  return { form: 'test', prepare } as unknown as EventEncoder;
}

describe('FramePreparation', () => {
  it('is ready for an event when its record is prepared, also if it was read again', async () => {
    const made: CacheRecord[] = [];
    const preparation = new FramePreparation(encoder(made), loopTurns());
    const record = recordAt(7);
    expect(preparation.isReady('ADDED', record, eventOf(record))).toBe(false);
    expect(preparation.isReady('ADDED', record, eventOf(record))).toBe(false);
    await preparation.ready;
    expect(preparation.ready).toBeUndefined();
    const again = recordAt(7);
    expect(preparation.isReady('ADDED', again, eventOf(again))).toBe(true);
    expect(preparation.take('ADDED', again)).toBe(made[0]);
    expect(made).toHaveLength(1);
    expect(preparation.take('ADDED', again)).toBe(again);
  });

  it('prepares a record once for all watches of the form', async () => {
    const made: CacheRecord[] = [];
    const shared = encoder(made);
    const watches = [1, 2, 3].map(() => new FramePreparation(shared, loopTurns()));
    const record = recordAt(7);
    const event = eventOf(record);
    for (const watch of watches) expect(watch.isReady('ADDED', record, event)).toBe(false);
    await Promise.all(watches.map(({ ready }) => ready));
    for (const watch of watches) expect(watch.take('ADDED', record)).toBe(made[0]);
    expect(made).toHaveLength(1);
  });

  it('leaves the error of a record to its frame', async () => {
    const preparation = new FramePreparation(encoder([], true), loopTurns());
    const record = recordAt(7);
    expect(preparation.isReady('ADDED', record, eventOf(record))).toBe(false);
    await preparation.ready;
    expect(preparation.isReady('ADDED', record, eventOf(record))).toBe(true);
    expect(preparation.take('ADDED', record)).toBe(record);
  });
});
