import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runDoctorCommand } from '../../../src/cli/doctor/command.ts';
import type { Finding, Patient, ProgramResult } from '../../../src/cli/doctor/finding.ts';
import { TemporaryDirectory } from '../../../src/files/temporary-directory.ts';
import { type RunningServer, startServer } from '../../../src/server.ts';
import { SmallDisk } from '../../support/small-disk.ts';

const KUBECTL = '{"clientVersion": {"major": "1", "minor": "32", "gitVersion": "v1.32.4"}}';

/** What a command prints. */
function printed() {
  const texts: string[] = [];
  return {
    output: { out: (text: string) => void texts.push(text), error: () => undefined },
    text: () => texts.join(''),
  };
}

describe('binnacle doctor', () => {
  let files: TemporaryDirectory;
  let server: RunningServer | undefined;
  let taken: Server | undefined;
  let disk: SmallDisk | undefined;
  beforeEach(() => {
    files = new TemporaryDirectory();
  });
  afterEach(async () => {
    await server?.stop();
    taken?.close();
    disk?.unmount();
    [server, taken, disk] = [undefined, undefined, undefined];
    files.remove();
  });

  /** Findings that are not ok, and the exit code. */
  async function examine(words: readonly string[], changes: Partial<Patient> = {}) {
    const seen = printed();
    const patient = {
      environment: {},
      run: async (): Promise<ProgramResult> => ({ code: 0, out: KUBECTL }),
      ...changes,
    };
    const code = await runDoctorCommand(['--json', ...words], seen.output, patient);
    const { healthy, findings } = JSON.parse(seen.text()) as { healthy: boolean; findings: Finding[] };
    expect(healthy).toBe(code === 0);
    return { code, findings: findings.filter(({ severity }) => severity !== 'ok'), all: findings };
  }
  const data = (name = 'data') => `--data-dir=${files.path(name)}`;
  const take = async (): Promise<number> => {
    taken = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => taken!.listen(0, '127.0.0.1', resolve));
    return (taken.address() as { port: number }).port;
  };
  /** A data directory that a server has used. */
  const used = async (): Promise<string> => {
    const running = await startServer(
      { dataDir: files.path('data'), securePort: 0 },
      { log: () => undefined },
    );
    await running.stop();
    return data();
  };

  it('finds nothing wrong before the first start, and creates nothing', async () => {
    const { code, findings, all } = await examine(['--secure-port=0', data()]);
    expect([code, findings]).toEqual([0, []]);
    expect(all.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['version', 'flags', 'port', 'directory', 'disk', 'clock', 'kubectl']),
    );
    expect(existsSync(files.path('data'))).toBe(false);
  });

  it('finds nothing wrong with the data of a server that has stopped, and changes nothing', async () => {
    const directory = await used();
    const look = () =>
      readdirSync(files.path('data'), { recursive: true, encoding: 'utf8' })
        // In which lmdb notes its readers.
        .filter((name) => !name.endsWith('-lock'))
        .map((name) => [name, statSync(files.path(`data/${name}`)).mtimeMs]);
    const before = look();
    const { code, findings, all } = await examine(['--secure-port=0', directory]);
    expect([code, findings]).toEqual([0, []]);
    expect(all).toContainEqual(
      expect.objectContaining({
        check: 'store',
        found: expect.stringMatching(/^\d+ keys at revision \d+, none damaged$/),
      }),
    );
    expect(all).toContainEqual(
      expect.objectContaining({ check: 'certificates', found: expect.stringMatching(/ are valid$/) }),
    );
    expect(look()).toEqual(before);
  });

  it('prints lines for readers', async () => {
    const seen = printed();
    const code = await runDoctorCommand(['--secure-port=70000', data()], seen.output, {
      environment: { KUBECONFIG: '/k' },
      run: async () => ({ code: undefined, out: '' }),
    });
    expect(code).toBe(1);
    expect(seen.text()).toMatch(/^ok {7}version {7}Binnacle /);
    expect(seen.text()).toMatch(
      /\nproblem {2}flags {9}--secure-port 70000 [^\n]+\n {23}→ see binnacle help, or docs\/flags.md\n/,
    );
    expect(seen.text()).toContain('\nwarning  kubectl       kubectl is not on the PATH\n');
    expect(seen.text()).toContain('\nnote     kubectl       KUBECONFIG is /k: ');
    expect(seen.text()).toMatch(/\n\n\d problems, 1 warning\.\n$/);
  });

  it('refuses what it does not know', async () => {
    await expect(examine(['--prot=1'])).rejects.toThrow('unknown flag: --prot');
    await expect(examine(['now'])).rejects.toThrow(
      'doctor takes flags only: binnacle doctor [--json] [flags]',
    );
    const seen = printed();
    await runDoctorCommand(['--help'], seen.output);
    expect(seen.text()).toContain('binnacle doctor [--json] [flags]');
  });

  it('tells who has the port', async () => {
    const port = await take();
    expect((await examine([`--secure-port=${port}`, data()])).findings).toEqual([
      {
        check: 'port',
        severity: 'problem',
        found: `${port} on 127.0.0.1 is in use by a program that does not speak TLS`,
        advice: 'stop it, or choose another port with --secure-port (0 selects a free one)',
      },
    ]);
    server = await startServer({ ephemeral: true }, { log: () => undefined });
    expect((await examine([`--secure-port=${server.port}`, data()])).findings).toMatchObject([
      { found: expect.stringMatching(/ is in use by a Binnacle server \(v1\.\d+\.\d+\+binnacle-/) },
    ]);
    expect((await examine(['--secure-port=0', '--bind-address=203.0.113.1', data()])).findings).toEqual([
      {
        check: 'port',
        severity: 'problem',
        found: 'failed to create listener: 203.0.113.1 is not a local address',
        advice: 'change --bind-address',
      },
    ]);
  });

  it('knows the server of the data directory', async () => {
    server = await startServer({ dataDir: files.path('data'), securePort: 0 }, { log: () => undefined });
    const { code, findings, all } = await examine([`--secure-port=${server.port}`, data()]);
    expect(all).toContainEqual({
      check: 'port',
      severity: 'ok',
      found: `the server of this data directory is ready at ${server.url}`,
    });
    expect(findings).toEqual([
      {
        check: 'store',
        severity: 'note',
        found: `process ${process.pid} is serving this data directory; a second server would be refused`,
      },
    ]);
    expect(code).toBe(0);
  });

  it('tells about a directory with other files, of others, or in the way', async () => {
    mkdirSync(files.path('other'));
    writeFileSync(files.path('other/notes.txt'), '');
    expect((await examine(['--secure-port=0', data('other')])).findings).toEqual([
      {
        check: 'directory',
        severity: 'problem',
        found: `${files.path('other')} contains other files (notes.txt) and is not a data directory`,
        advice: 'name a new or empty directory with --data-dir',
      },
    ]);
    const directory = await used();
    chmodSync(files.path('data'), 0o755);
    expect((await examine(['--secure-port=0', directory])).findings).toEqual([
      {
        check: 'directory',
        severity: 'warning',
        found: `${files.path('data')} can be entered by other users (mode 755)`,
        advice: `chmod 700 ${files.path('data')}`,
      },
    ]);
  });

  it('names what is damaged', async () => {
    const directory = await used();
    writeFileSync(files.path('data/pki/apiserver.crt'), 'nonsense');
    writeFileSync(files.path('data/store/data.mdb'), 'nonsense');
    const { code, findings } = await examine(['--secure-port=0', directory]);
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      {
        check: 'certificates',
        severity: 'warning',
        found: expect.stringMatching(/apiserver\.crt is not a certificate$/),
      },
      { check: 'store', severity: 'problem' },
    ]);
  });

  it('tells about certificates that are not valid yet, or any more', async () => {
    const directory = await used();
    const at = (days: number) => ({
      clock: {
        now: () => Date.now() + days * 86_400_000,
        monotonic: () => 0,
        after(_: number, act: () => void) {
          queueMicrotask(act);
          return () => undefined;
        },
      },
    });
    const early = await examine(['--secure-port=0', directory], at(-3));
    expect(early.code).toBe(1);
    expect(early.findings).toContainEqual(
      expect.objectContaining({ check: 'certificates', severity: 'problem', advice: 'correct the clock' }),
    );
    expect(early.findings).toContainEqual(
      expect.objectContaining({
        check: 'clock',
        severity: 'warning',
        found: expect.stringMatching(/ minutes in the future$/),
      }),
    );
    const late = await examine(['--secure-port=0', directory], at(400));
    expect(late.findings).toContainEqual(
      expect.objectContaining({
        check: 'certificates',
        severity: 'note',
        advice: 'the next start makes another one',
      }),
    );
  });

  it('notices a clock that jumps, or that nobody has set', async () => {
    let now = Date.parse('1970-01-02T00:00:00Z');
    const clock: Patient['clock'] = {
      now: () => now,
      monotonic: () => 0,
      after(_, act) {
        now += 5000;
        queueMicrotask(act);
        return () => undefined;
      },
    };
    expect((await examine(['--secure-port=0', data()], { clock })).findings).toEqual([
      {
        check: 'clock',
        severity: 'warning',
        found: 'the clock was set by 5000 ms while this program ran',
        advice: expect.stringContaining('NTP'),
      },
      {
        check: 'clock',
        severity: 'problem',
        found: 'the clock shows 1970-01-02T00:00:05.000Z',
        advice: expect.stringContaining('NTP'),
      },
    ]);
  });

  it('compares files with the clock', async () => {
    const directory = await used();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(files.path('data/kubeconfig'), later, later);
    expect((await examine(['--secure-port=0', directory])).findings).toEqual([
      expect.objectContaining({
        check: 'clock',
        found: expect.stringMatching(/kubeconfig was written (59|60) minutes in the future$/),
      }),
    ]);
  });

  it.each([
    ['v1.33.1', 33, []],
    [
      'v1.29.0',
      29,
      [
        expect.objectContaining({
          severity: 'warning',
          found: expect.stringContaining('3 minor versions older'),
        }),
      ],
    ],
    [
      'v1.40.0',
      40,
      [
        expect.objectContaining({
          severity: 'warning',
          found: expect.stringContaining('8 minor versions newer'),
        }),
      ],
    ],
  ])('judges kubectl %s', async (gitVersion, minor, expected) => {
    const run = async () => ({
      code: 0,
      out: JSON.stringify({ clientVersion: { minor: String(minor), gitVersion } }, null, 2),
    });
    expect((await examine(['--secure-port=0', data()], { run })).findings).toEqual(expected);
  });

  it('compares kubectl with the release of the flags', async () => {
    const run = async () => ({ code: 0, out: KUBECTL });
    const words = ['--secure-port=0', data()];
    const { findings } = await examine([...words, '--kubernetes-version=1.34'], { run });
    expect(findings.filter(({ check }) => check === 'kubectl')).toMatchObject([
      { found: expect.stringMatching(/^v1\.32\.4 is 2 minor versions older than the server \(v1\.34\./) },
    ]);
    expect((await examine([...words, '--kubernetes-version=1.2'], { run })).findings).toMatchObject([
      {
        check: 'flags',
        severity: 'problem',
        found: expect.stringContaining('"1.2" for --kubernetes-version'),
      },
    ]);
  });

  it('does not take an unreadable answer of kubectl for a version', async () => {
    const run = async () => ({ code: 1, out: 'error: unknown' });
    expect((await examine(['--secure-port=0', data()], { run })).findings).toEqual([
      {
        check: 'kubectl',
        severity: 'warning',
        found: 'kubectl version --client ends with 1 and names no version',
      },
    ]);
  });

  it('measures the disks', async ({ skip }) => {
    mkdirSync(files.path('small'));
    disk = SmallDisk.mount(files.path('small'), 20);
    if (disk === undefined) return skip('a small file system cannot be mounted here');
    const words = ['--secure-port=0', data('small/data')];
    const { code, findings } = await examine(words, { temporaryDirectory: '/absent' });
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      {
        check: 'disk',
        severity: 'problem',
        found: expect.stringMatching(/^20 MiB are free for .*small, and writes are refused below 64 MiB$/),
      },
      {
        check: 'disk',
        severity: 'warning',
        found: expect.stringContaining('the temporary folder /absent cannot be used'),
      },
    ]);
    disk.fill();
    const full = await examine(['--secure-port=0', '--ephemeral'], {
      temporaryDirectory: files.path('small'),
    });
    expect([full.code, full.findings]).toEqual([
      0,
      [
        expect.objectContaining({
          check: 'disk',
          severity: 'warning',
          found: `the temporary folder ${files.path('small')} is full`,
        }),
      ],
    ]);
  });

  it('names variables that change Node.js', async () => {
    const environment = { NODE_OPTIONS: '--inspect', NODE_EXTRA_CA_CERTS: '' };
    expect((await examine(['--secure-port=0', data()], { environment })).findings).toEqual([
      {
        check: 'version',
        severity: 'note',
        found: 'NODE_OPTIONS is set, and changes how Node.js runs this program',
      },
    ]);
  });

  it('looks at a copy of a data directory as at the original', async () => {
    await used();
    cpSync(files.path('data'), files.path('copy'), { recursive: true });
    chmodSync(files.path('copy'), 0o700);
    expect((await examine(['--secure-port=0', data('copy')])).code).toBe(0);
  });
});
