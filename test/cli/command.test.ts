import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/command.ts';
import type { CommandEnvironment, StoppableServer } from '../../src/cli/environment.ts';
import { ConfigurationError } from '../../src/errors/configuration-error.ts';
import type { ServerOptions } from '../../src/options/options.ts';

const READY_LINE = {
  binnacle: '0.1.0',
  url: 'https://127.0.0.1:6443',
  kubeconfig: '/tmp/folder/kubeconfig',
  ca: 'PEM',
  version: '1.32.13',
  pid: 123,
};

/** Runs a command line in a test environment that records its effects. */
function run(
  words: string[],
  changes: Partial<CommandEnvironment> = {},
  changed: Partial<StoppableServer> = {},
) {
  const seen = {
    out: '',
    error: '',
    exits: [] as number[],
    started: [] as ServerOptions[],
    stops: [] as string[],
    backups: [] as string[][],
    timers: [] as number[],
  };
  let signal: (name: 'SIGINT' | 'SIGTERM') => void = () => {};
  let fire = () => {};
  let parentEnds: (reason: string) => void = () => {};
  let uncaught: (error: unknown, fatal: boolean) => void = () => {};
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = {
    url: 'https://127.0.0.1:6443',
    port: 6443,
    dataDirectory: '/data',
    kubeconfigFile: '/data/my kubeconfig',
    kubeconfig: 'the kubeconfig\n',
    readyLine: READY_LINE,
    ...changed,
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
    onParentEnd: (listener) => {
      parentEnds = listener;
    },
    after: (milliseconds, act) => {
      seen.timers.push(milliseconds);
      fire = act;
    },
    ephemeralFolder: {
      path: undefined,
      file: (name) => `/tmp/folder/${name}`,
      removeAbandoned: async () => {},
    },
    onUncaughtError: (listener) => {
      uncaught = listener;
    },
    exit: (code) => void seen.exits.push(code),
    start: async (options) => {
      seen.started.push(options);
      return server;
    },
    backup: async (...directories) => void seen.backups.push(directories),
    runSeparate: async (_command, words) => words.length,
    ...changes,
  });
  return {
    seen,
    done,
    signal: (name: 'SIGINT' | 'SIGTERM') => signal(name),
    fire: () => fire(),
    endParent: (reason: string) => parentEnds(reason),
    fault: (error: unknown, fatal: boolean) => uncaught(error, fatal),
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
    expect(await result(['--help'])).toMatchObject({
      code: 0,
      started: [],
      out: expect.stringContaining('--secure-port'),
    });
    for (const words of [['version'], ['--version']])
      expect(await result(words)).toMatchObject({
        code: 0,
        started: [],
        out: expect.stringMatching(/^Binnacle \S+ \(Kubernetes v1\.32\.\d+\)\n$/),
      });
    expect(JSON.parse((await result(['--version=raw'])).out)).toMatchObject({ product: 'binnacle' });
  });

  it('reject unknown flags as pflag does', async () => {
    expect(await result(['--no-such-flag'])).toMatchObject({
      code: 1,
      error: 'Error: unknown flag: --no-such-flag; see binnacle --help\n',
      started: [],
    });
  });

  it('reject unknown commands', async () => {
    expect(await result(['operate'], { interactive: true })).toMatchObject({
      code: 1,
      error: 'Error: unknown command "operate" for "binnacle"; see binnacle help\n',
    });
  });

  it('pass the arguments of cel on unchanged', async () => {
    expect(await result(['cel', '1 + 1', '--self', 'a.yaml'])).toMatchObject({
      code: 3,
      out: '',
      error: '',
      started: [],
    });
  });

  it('back up the data directory', async () => {
    expect(await result(['backup', 'copy', '--data-dir=data'])).toMatchObject({
      code: 0,
      backups: [['data', 'copy']],
    });
    expect(await result(['backup', 'copy'])).toMatchObject({ code: 0, backups: [['.binnacle', 'copy']] });
    expect(await result(['backup'], { interactive: true })).toMatchObject({
      code: 1,
      error: expect.stringContaining('backup takes one argument'),
      backups: [],
    });
  });

  it.each([
    ['--secure-prot=1', 'unknown flag: --secure-prot; did you mean --secure-port?'],
    ['--data_dri', 'unknown flag: --data_dri; did you mean --data-dir?'],
    ['--hlep', 'unknown flag: --hlep; did you mean --help?'],
    ['bakcup', 'unknown command "bakcup" for "binnacle"; did you mean binnacle backup?'],
    ['constructor', 'unknown command "constructor" for "binnacle"; see binnacle help'],
  ])('suggest a command or flag for %s', async (word, message) => {
    expect(await result([word])).toMatchObject({
      code: 1,
      out: '',
      error: `Error: ${message}\n`,
      started: [],
    });
  });

  it.each([
    [['help'], '--secure-port'],
    [['help', 'help'], 'binnacle help [COMMAND]'],
    [['help', '--help'], '--secure-port'],
    [['help', 'backup'], 'binnacle backup DIR'],
    [['backup', '--help'], 'binnacle backup DIR'],
    [['backup', 'copy', '-h'], 'binnacle backup DIR'],
    [['version', '--help'], 'binnacle --version=raw'],
    [['help', 'version'], 'binnacle --version=raw'],
  ])('print help for %j', async (words, text) => {
    expect(await result(words)).toMatchObject({
      code: 0,
      error: '',
      started: [],
      backups: [],
      out: expect.stringContaining(text),
    });
  });

  it('pass --help on to cel', async () => {
    const calls: unknown[] = [];
    const runSeparate: CommandEnvironment['runSeparate'] = async (...call) => calls.push(call) - 1;
    expect(await result(['help', 'cel'], { runSeparate })).toMatchObject({ code: 0, out: '' });
    expect(calls).toEqual([['cel', ['--help']]]);
  });

  it.each([
    [['help', 'bakup'], 'unknown command "bakup" for "binnacle"; did you mean binnacle backup?'],
    [['help', 'backup', 'cel'], 'help takes one command at most: binnacle help [COMMAND]'],
    [['version', 'now'], 'version takes no arguments: binnacle version'],
  ])('reject %j', async (words, message) => {
    expect(await result(words)).toMatchObject({ code: 1, out: '', error: `Error: ${message}\n` });
  });

  it('list every command in help', async () => {
    const { out } = await result(['help']);
    for (const name of ['backup', 'cel', 'version', 'help'])
      expect(out).toMatch(new RegExp(`^  binnacle ${name}\\b.*  \\w`, 'm'));
  });

  it.each([true, false])(
    'report a failed start without a stack, on a terminal or not (%s)',
    async (interactive) => {
      const start = async () => {
        throw new ConfigurationError('open a.yaml:\n  no such file');
      };
      const error = 'Error:\n  open a.yaml:\n    no such file\n';
      expect(await result([], { start, interactive })).toMatchObject({ code: 1, error, out: '' });
      expect(await result(['--logging-format=json', '-v=9'], { start, interactive })).toMatchObject({
        code: 1,
        error,
      });
    },
  );

  it('report an uncaught error during the start in one line', async () => {
    const { seen, fault: uncaught } = run([], { start: () => new Promise(() => {}) });
    await expect.poll(() => uncaught(new Error('no memory'), true) ?? seen.exits).toContain(1);
    expect(seen.error).toMatch(/^(Error: no memory\n)+$/);
  });

  it('log an unhandled rejection and continue; log an uncaught exception and stop', async () => {
    const { seen, done, fault: uncaught, close } = run([]);
    await expect.poll(() => seen.out).toContain('is ready');
    uncaught(new Error('lost'), false);
    expect(seen.error).toMatch(/"unhandled rejection; continuing" err=<\n\s+Error: lost\n\s+at /);
    expect(seen.stops).toEqual([]);
    uncaught(new Error('thrown'), true);
    expect(seen.error).toContain('Error: thrown');
    expect(seen.stops).toEqual(['uncaught exception']);
    close();
    expect(await done).toBe(1);
  });

  it('start the server, print a summary, and stop at the first signal', async () => {
    const { seen, done, signal, close } = run(['--secure-port=0', '--apiserver-count=1']);
    await expect.poll(() => seen.out).toContain('Stop');
    expect(seen.started).toEqual([{ securePort: 0, apiserverCount: 1 }]);
    expect(seen.error).toBe(
      'Flag --apiserver-count has been deprecated, apiserver-count is deprecated and will be removed in a future version.\n',
    );
    expect(seen.out).toContain('https://127.0.0.1:6443');
    expect(seen.out).toContain("kubectl --kubeconfig '/data/my kubeconfig' get namespaces");
    signal('SIGTERM');
    expect(seen.stops).toEqual(['SIGTERM']);
    close();
    expect(await done).toBe(0);
    expect(seen.exits).toEqual([]);
  });

  it('print that the default port is in use', async () => {
    const other = run([], {}, { port: 6444 });
    await expect.poll(() => other.seen.out).toContain('\n  Port        6443 is in use: serving on 6444\n');
    const chosen = run(['--secure-port=6444'], {}, { port: 6444 });
    await expect.poll(() => chosen.seen.out).toContain('Stop');
    expect(chosen.seen.out).not.toContain('in use');
  });

  it('print neither data directory nor kubeconfig when objects are stored in memory', async () => {
    const { seen } = run(
      ['--storage-backend=memory'],
      {},
      { dataDirectory: undefined, kubeconfigFile: undefined },
    );
    await expect.poll(() => seen.out).toContain('Stop');
    expect(seen.out).toContain('  Data        in memory: objects are lost when the server stops\n');
    expect(seen.out).toContain('  Kubeconfig  not written: set --kubeconfig-out=FILE\n');
    expect(seen.out).not.toContain('.binnacle');
    expect(seen.out).not.toContain('kubectl');
  });

  it('print whether Pods stay Pending', async () => {
    const { seen } = run([]);
    await expect
      .poll(() => seen.out)
      .toContain('  Pods        stay Pending: there are no nodes; --simulate-nodes=3 simulates some\n');
    const simulated = run(['--simulate-nodes=2']).seen;
    await expect
      .poll(() => simulated.out)
      .toContain('  Pods        run on 2 simulated nodes, without containers\n');
    const configured = run(['--simulation-config=nodes.yaml']).seen;
    await expect
      .poll(() => configured.out)
      .toContain('  Pods        run on simulated nodes, without containers\n');
    expect((await result(['--help'])).out).toContain('Pods run on nodes that --simulate-nodes simulates');
  });

  it('exit immediately at the second signal', async () => {
    const { seen, signal } = run([]);
    await expect.poll(() => seen.out).toContain('Stop');
    signal('SIGTERM');
    signal('SIGINT');
    expect(seen).toMatchObject({ stops: ['SIGTERM'], exits: [130] });
  });

  it('exit immediately at a signal before the server runs', async () => {
    const { seen, signal } = run([], { start: () => new Promise(() => {}) });
    await expect.poll(() => signal('SIGINT') ?? seen.exits).toContain(130);
    expect(seen.stops).toEqual([]);
  });

  it.each([[['serve']], [[]]])('start the server with and without a word: %j', async (words) => {
    const { seen } = run([...words, '--secure-port=0']);
    await expect.poll(() => seen.out).toContain('is ready at');
    expect(seen.started).toEqual([{ securePort: 0 }]);
    expect(await result(['serve', 'now'])).toMatchObject({
      code: 1,
      error: 'Error: serve takes no arguments: binnacle [serve] [flags]\n',
    });
    expect((await result(['serve', '--help'])).out).toContain('--secure-port');
  });

  it('print one line for an ephemeral server, with a kubeconfig in its folder', async () => {
    const { seen } = run(['--ephemeral']);
    await expect.poll(() => seen.out).toBe(`${JSON.stringify(READY_LINE)}\n`);
    expect(seen.started).toEqual([{ ephemeral: true, kubeconfigOut: '/tmp/folder/kubeconfig' }]);
    expect(seen.error).toBe('');
  });

  it('print the kubeconfig alone, and the summary on the other stream', async () => {
    const { seen } = run(['--kubeconfig-out=-']);
    await expect.poll(() => seen.out).toBe('the kubeconfig\n');
    expect(seen.started).toEqual([{ kubeconfigOut: '' }]);
    expect(seen.error).toContain('is ready at');
    const ephemeral = run(['--ephemeral', '--kubeconfig-out=-']);
    await expect.poll(() => ephemeral.seen.out).toBe('the kubeconfig\n');
    expect(ephemeral.seen.error).toBe('');
  });

  it.each([
    [['--print-token'], '--print-token needs --ephemeral or --ready-file: the token is in the ready line'],
    [
      ['--print-token', '--ephemeral', '--kubeconfig-out=-'],
      '--print-token needs --ready-file beside --kubeconfig-out=-, which leaves no ready line on the standard output',
    ],
    [
      ['--ephemeral', '--log-json-split-stream'],
      '--log-json-split-stream can not be combined with --ephemeral: the standard output has no log then',
    ],
    [
      ['--kubeconfig-out=-', '--log-text-split-stream'],
      '--log-text-split-stream can not be combined with --kubeconfig-out=-: the standard output has no log then',
    ],
  ])('refuse %j', async (words, message) => {
    expect(await result(words)).toMatchObject({
      code: 1,
      out: '',
      error: `Error: ${message}\n`,
      started: [],
    });
  });

  it('say what to do about a temporary folder that cannot be written', async () => {
    const changes = {
      ephemeralFolder: {
        path: '/tmp/folder',
        file: () => '/tmp/folder/kubeconfig',
        removeAbandoned: async () => {},
      },
      start: async () => {
        throw new ConfigurationError('write /tmp/folder/kubeconfig: no space left on device');
      },
    };
    expect((await result(['--ephemeral'], changes)).error).toBe(
      'Error: write /tmp/folder/kubeconfig: no space left on device: set TMPDIR to another folder, or use --kubeconfig-out=- for the standard output\n',
    );
  });

  it('stop with the parent if that is asked for', async () => {
    const { seen, done, endParent, close } = run(['--exit-with-parent']);
    await expect.poll(() => seen.out).toContain('Stop');
    expect(seen.started).toEqual([{}]);
    endParent('the parent process ended');
    endParent('the parent process ended');
    expect(seen.stops).toEqual(['the parent process ended']);
    close();
    expect(await done).toBe(0);
    const alone = run([]);
    await expect.poll(() => alone.seen.out).toContain('Stop');
    alone.endParent('the parent process ended');
    expect(alone.seen.stops).toEqual([]);
  });

  it('fail when the parent ends before the server runs', async () => {
    const { seen, endParent } = run(['--exit-with-parent'], { start: () => new Promise(() => {}) });
    await expect.poll(() => endParent('the standard input ended') ?? seen.exits).toContain(1);
    expect(seen.error).toMatch(/^(Error: the standard input ended before the server was ready\n)+$/);
  });

  it('end an ephemeral server that is slow to stop, and no other', async () => {
    const lasting = run([]);
    await expect.poll(() => lasting.seen.out).toContain('Stop');
    lasting.signal('SIGTERM');
    expect(lasting.seen.timers).toEqual([]);
    const { seen, signal, fire } = run(['--ephemeral', '--shutdown-delay-duration=2s']);
    await expect.poll(() => seen.out).toContain('https');
    signal('SIGTERM');
    expect(seen.timers).toEqual([3500]);
    fire();
    expect(seen.exits).toEqual([0]);
    expect(seen.error).toContain('"requests are still in flight; ending without them"');
  });

  it('fail when the server stops unexpectedly', async () => {
    const terminal = run([], { interactive: true });
    terminal.close();
    expect(await terminal.done).toBe(1);
    expect(terminal.seen.error).toBe('Error: the server stopped unexpectedly\n');
    const log = run([]);
    log.close();
    expect(await log.done).toBe(1);
    expect(log.seen.error).toMatch(/^E\d{4} .*"command failed" err="the server stopped unexpectedly"\n$/);
  });
});
