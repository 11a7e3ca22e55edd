import { expect, it } from 'vitest';
import { followParent, type ParentProcess } from '../../src/cli/parent.ts';

/** Follows a parent that the test changes. */
function follow(input: ParentProcess['input'] = 'pipe') {
  const parent = { pid: 10, running: true, endInput: () => {}, reads: 0 };
  const reasons: string[] = [];
  let look = () => {};
  followParent(
    {
      input,
      readInput(ended) {
        parent.reads += 1;
        parent.endInput = ended;
      },
      pid: () => parent.pid,
      isRunning: () => parent.running,
    },
    {
      every(_milliseconds, callback) {
        look = callback;
        return () => {
          look = () => {};
        };
      },
    },
    (reason) => void reasons.push(reason),
  );
  return { parent, reasons, look: () => look() };
}

it('tells once that the standard input ended', () => {
  const { parent, reasons, look } = follow();
  look();
  expect(reasons).toEqual([]);
  parent.endInput();
  parent.endInput();
  parent.running = false;
  look();
  expect(reasons).toEqual(['the standard input ended']);
});

it.each([
  ['has another number', { pid: 1 }],
  ['does not run', { running: false }],
])('tells once that the parent %s', (_, change) => {
  const { parent, reasons, look } = follow();
  Object.assign(parent, change);
  look();
  look();
  parent.endInput();
  expect(reasons).toEqual(['the parent process ended']);
});

it('does not read a terminal, which would stop a process in the background', () => {
  const { parent, reasons, look } = follow('terminal');
  expect(parent.reads).toBe(0);
  parent.running = false;
  look();
  expect(reasons).toEqual(['the parent process ended']);
});

it('refuses an input that cannot tell', () => {
  expect(() => follow('other')).toThrow('--exit-with-parent needs a pipe as the standard input');
});
