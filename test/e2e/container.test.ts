import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecipe } from '../support/container.ts';
import { EXECUTABLE } from './support/command.ts';

const TOOLS = ['kubectl', 'unshare', 'chroot', 'mount', 'ldd', 'setpriv'];
const canRun =
  EXECUTABLE !== undefined &&
  process.getuid?.() === 0 &&
  TOOLS.every((tool) => spawnSync('which', [tool]).status === 0) &&
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

/** What a container engine does with the recipe: a read-only root, a process namespace, a user without rights. */
const ENTER = `
mount --bind "$ROOT" "$ROOT" && mount --bind "$VOLUME" "$ROOT$AT" && mount -t proc proc "$ROOT/proc" &&
mount --bind /dev/null "$ROOT/dev/null" && mount -o remount,bind,ro "$ROOT" &&
exec setpriv --no-new-privs --inh-caps=-all "$(command -v chroot)" --userspec="$USER_ID:$USER_ID" "$ROOT" "$@"`;

const recipe = readRecipe('examples/container/Dockerfile');
let directory: string;
let server: ChildProcess | undefined;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-container-'));
});
afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** A root with the program and the libraries that it needs. */
function makeRoot(): { root: string; volume: string } {
  const [root, volume] = [join(directory, 'root'), join(directory, 'volume')];
  for (const folder of ['proc', 'dev', recipe.volume]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'dev/null'), '');
  const { stdout } = spawnSync('ldd', [EXECUTABLE!], { encoding: 'utf8' });
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, file]) => [file!, file!]);
  for (const [from, to] of [...libraries, [EXECUTABLE!, recipe.command[0]]] as [string, string][]) {
    mkdirSync(join(root, dirname(to)), { recursive: true });
    copyFileSync(from, join(root, to));
  }
  mkdirSync(volume);
  chownSync(volume, recipe.user, recipe.user);
  return { root, volume };
}

it.skipIf(!canRun)(
  'the container serves, keeps its data in the volume, and stops by its signal',
  async () => {
    const { root, volume } = makeRoot();
    const words = recipe.command.map((word) => word.replace(/^--secure-port=.*/, '--secure-port=0'));
    const start = async () => {
      server = spawn(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', ...words],
        {
          env: {
            PATH: process.env['PATH'],
            ...recipe.environment,
            ROOT: root,
            VOLUME: volume,
            AT: recipe.volume,
            USER_ID: String(recipe.user),
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let output = '';
      const ready = new Promise<string>((resolve, reject) => {
        const read = (chunk: Buffer) => {
          output += chunk.toString();
          const found = /is ready at (\S+)/.exec(output);
          if (found !== null) resolve(found[1]!);
        };
        server!.stdout!.on('data', read);
        server!.stderr!.on('data', read);
        server!.on('close', () => reject(new Error(`the server ended:\n${output}`)));
      });
      return new URL(await ready).port;
    };
    /** The process in the namespace: the only child of `unshare`. */
    const inside = () =>
      Number(readFileSync(`/proc/${server!.pid}/task/${server!.pid}/children`, 'utf8').trim().split(' ')[0]);
    const stop = async () => {
      const ended = new Promise((resolve) => server!.on('close', (code) => resolve(code)));
      process.kill(inside(), recipe.stopSignal);
      expect(await ended).toBe(0);
    };
    const kubeconfig = (port: string) =>
      readFileSync(join(volume, 'kubeconfig'), 'utf8').replace(
        /server: .*/,
        `server: https://127.0.0.1:${port}`,
      );
    const kubectl = (port: string, ...more: string[]) => {
      const file = join(directory, 'kubeconfig');
      writeFileSync(file, kubeconfig(port));
      return spawnSync('kubectl', ['--kubeconfig', file, ...more], { encoding: 'utf8' });
    };

    const first = await start();
    const status = readFileSync(`/proc/${inside()}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${recipe.user}\\s`, 'm'));
    expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(kubectl(first, 'create', 'namespace', 'kept')).toMatchObject({ status: 0 });
    await stop();
    const second = await start();
    expect(kubectl(second, 'get', 'namespace', 'kept', '--output=name').stdout).toBe('namespace/kept\n');
    await stop();
    expect(statSync(join(volume, 'cache/binnacle')).uid).toBe(recipe.user);
  },
);
