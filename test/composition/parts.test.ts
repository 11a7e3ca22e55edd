import { describe, expect, it } from 'vitest';
import { Parts } from '../../src/composition/parts.ts';
import type { Logger } from '../../src/observability/log.ts';

/** Parts that record their starts, stops and errors in order. */
function recorded() {
  const events: string[] = [];
  const logger = {
    error: (message: string, fields: object) => events.push(`${message} ${JSON.stringify(fields)}`),
  };
  const parts = new Parts(logger as unknown as Logger);
  const use = (name: string, stop: () => void = () => undefined) =>
    parts.use(
      name,
      async () => {
        events.push(`start ${name}`);
        return name;
      },
      (part) => {
        events.push(`stop ${part}`);
        stop();
      },
    );
  return { parts, use, events };
}

describe('parts', () => {
  it('stop in reverse order, once', async () => {
    const { parts, use, events } = recorded();
    for (const name of ['storage', 'listener', 'controllers']) await use(name);
    await Promise.all([parts.stop(), parts.stop()]);
    expect(events.slice(3)).toEqual(['stop controllers', 'stop listener', 'stop storage']);
  });

  it('stop if a later one fails to start', async () => {
    const { parts, use, events } = recorded();
    await use('storage');
    const failing = parts.use(
      'listener',
      () => Promise.reject(new Error('address in use')),
      () => {
        events.push('stop listener');
      },
    );
    await expect(failing).rejects.toThrow('address in use');
    await parts.stop();
    expect(events).toEqual(['start storage', 'stop storage']);
  });

  it('stop even if another one fails to stop', async () => {
    const { parts, use, events } = recorded();
    await use('storage');
    await use('audit', () => {
      throw new Error('disk full');
    });
    await parts.stop();
    expect(events.slice(2)).toEqual([
      'stop audit',
      'failed to stop a part of the server {"part":"audit","err":"disk full"}',
      'stop storage',
    ]);
  });
});
