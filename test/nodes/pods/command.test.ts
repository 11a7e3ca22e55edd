import { describe, expect, it } from 'vitest';
import { runOfCommand } from '../../../src/nodes/pods/command.ts';

const script = (text: string) => runOfCommand({ command: ['sh', '-c', text] });

describe('runOfCommand', () => {
  it.each([
    ['true', 0, 0],
    ['false', 0, 1],
    [':', 0, 0],
    ['exit 3', 0, 3],
    ['exit 300', 0, 44],
    ['false; exit', 0, 1],
    ['sleep 5', 5000, 0],
    ['sleep 0.3', 300, 0],
    ['sleep 1m30s', 90_000, 0],
    ['sleep 1m 2', 62_000, 0],
    ['sleep 1d', 86_400_000, 0],
    ['echo "a; b" && sleep 1; exit 4', 1000, 4],
    ["echo 'it is' > /tmp/x\nsleep 2\n", 2000, 0],
    ['false && sleep 5', 0, 1],
    ['/bin/sleep 1 ; /bin/false', 1000, 1],
    ['', 0, 0],
  ])('reads %j', (text, milliseconds, exitCode) => {
    expect(script(text)).toEqual({ milliseconds, exitCode });
  });

  it.each([
    'sleep infinity',
    'sleep',
    'sleep $TIME',
    'sleep -5',
    'exit $CODE',
    'exit -1',
    'nginx',
    'while true; do sleep 1; done',
    'sleep 5 & wait',
    'true || sleep 5',
    'echo $(date)',
    'echo "open',
    `echo ${'x'.repeat(5000)}`,
  ])('runs for ever with %j', (text) => {
    expect(script(text)).toBeUndefined();
  });

  it('reads words, other shells, and arguments', () => {
    expect(runOfCommand({ command: ['sleep', '2'] })).toEqual({ milliseconds: 2000, exitCode: 0 });
    expect(runOfCommand({ command: ['/bin/bash', '-ec'], args: ['exit 2'] })).toEqual({
      milliseconds: 0,
      exitCode: 2,
    });
    expect(runOfCommand({ args: ['true'] })).toEqual({ milliseconds: 0, exitCode: 0 });
    expect(runOfCommand({ command: ['sh', 'script.sh'] })).toBeUndefined();
    expect(runOfCommand({})).toBeUndefined();
  });
});
