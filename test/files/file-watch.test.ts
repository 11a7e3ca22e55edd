import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileEvents, reloadOnChange } from '../../src/files/file-watch.ts';

function manualEvents() {
  const state = {
    changed: [] as (() => void)[],
    timers: new Map<number, { at: number; act: () => void }>(),
    directories: [] as string[],
    stopped: 0,
  };
  let next = 0;
  const events: FileEvents = {
    watchDirectory(directory, changed) {
      state.directories.push(directory);
      state.changed.push(changed);
      return () => {
        state.stopped += 1;
      };
    },
    after(milliseconds, act) {
      const id = next++;
      state.timers.set(id, { at: milliseconds, act });
      return () => void state.timers.delete(id);
    },
  };
  const fire = () => {
    const [[id, timer]] = [...state.timers] as [[number, { at: number; act: () => void }]];
    state.timers.delete(id);
    timer.act();
    return timer.at;
  };
  return { events, state, fire };
}

describe('reloadOnChange', () => {
  it('waits until changes have settled, and polls every minute', async () => {
    const { events, state, fire } = manualEvents();
    let reloads = 0;
    const stop = reloadOnChange({
      files: ['/a/one', '/a/two', '/b/three'],
      reload: () => {
        reloads += 1;
      },
      events,
    });
    expect(state.directories).toEqual(['/a', '/b']);
    state.changed[0]!();
    state.changed[1]!();
    expect(state.timers.size).toBe(1);
    expect(fire()).toBe(50);
    await expect.poll(() => state.timers.size).toBe(1);
    expect(fire()).toBe(60_000);
    await expect.poll(() => state.timers.size).toBe(1);
    expect(reloads).toBe(2);
    stop();
    expect([state.timers.size, state.stopped]).toEqual([0, 2]);
  });

  it('never reloads concurrently, and once more for changes during a reload', async () => {
    const { events, state, fire } = manualEvents();
    const running: (() => void)[] = [];
    const stop = reloadOnChange({
      files: ['/a/one'],
      reload: () => new Promise<void>((resolve) => running.push(resolve)),
      events,
    });
    state.changed[0]!();
    fire();
    state.changed[0]!();
    fire();
    expect(running).toHaveLength(1);
    running[0]!();
    await expect.poll(() => [...state.timers.values()].map(({ at }) => at)).toEqual([50]);
    stop();
  });

  it('notices a replaced file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-watch-'));
    const file = join(directory, 'config');
    writeFileSync(file, 'old');
    let reloads = 0;
    const stop = reloadOnChange({
      files: [file],
      reload: () => {
        reloads += 1;
      },
    });
    writeFileSync(`${file}.new`, 'new');
    renameSync(`${file}.new`, file);
    await expect.poll(() => reloads).toBeGreaterThan(0);
    stop();
    rmSync(directory, { recursive: true });
  });
});
