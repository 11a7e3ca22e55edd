import { describe, expect, it } from 'vitest';
import { type CommandEnvironment, runCommand } from '../../src/config/command.ts';
import { ConfigurationError } from '../../src/config/errors.ts';
import type { ServerOptions } from '../../src/config/options.ts';

/** Runs a command line in a world of its own. */
function run(words: string[], changes: Partial<CommandEnvironment> = {}) {
  const seen = { out: '', error: '', exits: [] as number[], started: [] as ServerOptions[], stops: [] as string[], backups: [] as string[][] };
  let signal: (name: 'SIGINT' | 'SIGTERM') => void = () => {};
  let fault: (error: unknown, lasting: boolean) => void = () => {};
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = {
    url: 'https://127.0.0.1:6443',
    dataDirectory: '/data',
    kubeconfigFile: '/data/my kubeconfig',
    closed,
    stop: async (reason: string) => void seen.stops.push(reason),
  };
  const done = runCommand(words, {
    out: (text) => {
      seen.out += text;
    },
    error: (text) => {
      seen.error += text;
    },
    interactive: false,
    onSignal: (listener) => {
      signal = listener;
    },
    onFault: (listener) => {
      fault = listener;
    },
    exit: (code) => void seen.exits.push(code),
    start: async (options) => {
      seen.started.push(options);
      return server;
    },
    backup: async (...directories) => void seen.backups.push(directories),
    tryExpressions: async (words) => words.length,
    ...changes,
  });
  return {
    seen,
    done,
    signal: (name: 'SIGINT' | 'SIGTERM') => signal(name),
    fault: (error: unknown, lasting: boolean) => fault(error, lasting),
    close: () => close(),
  };
}

/** The result of a command that ends by itself. */
async function result(words: string[], changes?: Partial<CommandEnvironment>) {
  const { seen, done } = run(words, changes);
  return { code: await done, ...seen };
}

describe('commands', () => {
  it('print help and version without starting anything', async () => {
    expect(await result(['--help'])).toMatchObject({ code: 0, started: [], out: expect.stringContaining('--secure-port') });
    for (const words of [['version'], ['--version']])
      expect(await result(words)).toMatchObject({ code: 0, started: [], out: expect.stringMatching(/^Binnacle \S+ \(Kubernetes v1\.32\.\d+\)\n$/) });
    expect(JSON.parse((await result(['--version=raw'])).out)).toMatchObject({ product: 'binnacle' });
  });

  it('refuse unknown flags as pflag does', async () => {
    expect(await result(['--no-such-flag'])).toMatchObject({ code: 1, error: 'Error: unknown flag: --no-such-flag\n', started: [] });
  });

  it('refuse unknown words', async () => {
    expect(await result(['serve'], { interactive: true })).toMatchObject({
      code: 1,
      error: 'Error: unknown command "serve" for "binnacle"; see binnacle --help\n',
    });
  });

  it('leave the words after cel to it', async () => {
    expect(await result(['cel', '1 + 1', '--self', 'a.yaml'])).toMatchObject({ code: 3, out: '', error: '', started: [] });
  });

  it('copy the data', async () => {
    expect(await result(['backup', 'copy', '--data-dir=data'])).toMatchObject({ code: 0, backups: [['data', 'copy']] });
    expect(await result(['backup', 'copy'])).toMatchObject({ code: 0, backups: [['.binnacle', 'copy']] });
    expect(await result(['backup'], { interactive: true })).toMatchObject({
      code: 1,
      error: expect.stringContaining('backup takes one argument'),
      backups: [],
    });
  });

  it('tell a failed start in one line, to a person or a log', async () => {
    const start = async () => {
      throw new ConfigurationError('--goaway-chance is "wrong"');
    };
    expect(await result([], { start, interactive: true })).toMatchObject({ code: 1, error: 'Error: --goaway-chance is "wrong"\n' });
    expect((await result([], { start })).error).toMatch(/^E\d{4} [\d:.]+ +\d+ \w+\] "command failed" err="--goaway-chance is \\"wrong\\""\n$/);
    expect(JSON.parse((await result(['--logging-format=json'], { start })).error)).toMatchObject({ msg: 'command failed', err: '--goaway-chance is "wrong"' });
  });

  it('log what nobody caught: a lost promise goes on, an exception stops the server in order', async () => {
    const { seen, done, fault, close } = run([]);
    await expect.poll(() => seen.out).toContain('is ready');
    fault(new Error('lost'), false);
    expect(seen.error).toMatch(/"a fault of the server: it goes on" err=<\n\s+Error: lost\n\s+at /);
    expect(seen.stops).toEqual([]);
    fault(new Error('thrown'), true);
    expect(seen.error).toContain('Error: thrown');
    expect(seen.stops).toEqual(['fault']);
    close();
    expect(await done).toBe(1);
  });

  it('start the server, show one screen, and stop at the first signal', async () => {
    const { seen, done, signal, close } = run(['--secure-port=0', '--apiserver-count=1']);
    await expect.poll(() => seen.out).toContain('Stop');
    expect(seen.started).toEqual([{ securePort: 0, apiserverCount: 1 }]);
    expect(seen.error).toBe('Flag --apiserver-count has been deprecated, apiserver-count is deprecated and will be removed in a future version.\n');
    expect(seen.out).toContain('https://127.0.0.1:6443');
    expect(seen.out).toContain("kubectl --kubeconfig '/data/my kubeconfig' get namespaces");
    signal('SIGTERM');
    expect(seen.stops).toEqual(['SIGTERM']);
    close();
    expect(await done).toBe(0);
    expect(seen.exits).toEqual([]);
  });

  it('end at once at the second signal', async () => {
    const { seen, signal } = run([]);
    await expect.poll(() => seen.out).toContain('Stop');
    signal('SIGTERM');
    signal('SIGINT');
    expect(seen).toMatchObject({ stops: ['SIGTERM'], exits: [130] });
  });

  it('end at once at a signal before the server runs', async () => {
    const { seen, signal } = run([], { start: () => new Promise(() => {}) });
    await expect.poll(() => signal('SIGINT') ?? seen.exits).toContain(130);
    expect(seen.stops).toEqual([]);
  });

  it('fail when the server ends by itself', async () => {
    const { seen, done, close } = run([], { interactive: true });
    close();
    expect(await done).toBe(1);
    expect(seen.error).toBe('Error: the server has ended by itself\n');
  });
});
