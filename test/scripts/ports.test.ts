import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Reserves two ranges in a process, which lives until the end of the test. */
async function twoRanges(): Promise<number[][]> {
  const script = `
    import { reservePorts } from './scripts/support/ports.mjs';
    console.log(JSON.stringify([await reservePorts(), await reservePorts()]));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return (JSON.parse(line.toString()) as string[]).map((range) => range.split('-').map(Number));
}

it('ranges of ports differ between the runners of a process and between processes', async () => {
  const ranges = (await Promise.all([twoRanges(), twoRanges()])).flat().sort(([a], [b]) => a! - b!);
  for (const [first, last] of ranges) expect(last! - first!).toBeGreaterThan(300);
  for (let index = 1; index < ranges.length; index += 1)
    expect(ranges[index]![0]).toBeGreaterThan(ranges[index - 1]![1]!);
});
