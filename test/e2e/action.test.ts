import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/codec/yaml.ts';
import { codeBlocks, pageText, ROOT } from '../support/documents.ts';
import { COMMAND, requireCommand } from './support/command.ts';

const SCRIPT = join(ROOT, 'action/install.sh');
const NAME = `binnacle-0.1.0-${process.platform}-${process.arch}`;
/** Stands for an executable: it runs the built command. */
const PROGRAM = `#!/bin/sh\nexec ${COMMAND.map((word) => `'${word}'`).join(' ')} "$@"\n`;
const sum = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the action for GitHub', () => {
  requireCommand();
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-action-'));
  const at = (name: string): string => join(directory, name);
  let releases: Server;
  /** What the server has below the release. */
  let files: Map<string, string>;
  beforeAll(async () => {
    releases = createServer((request, response) => {
      const text = files.get(request.url!.slice('/'.length));
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    await new Promise<void>((resolve) => releases.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    releases.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(() => {
    files = new Map([
      [NAME, PROGRAM],
      ['SHA256SUMS', `${sum('other')}  binnacle-0.1.0-darwin-x64\n${sum(PROGRAM)}  ${NAME}\n`],
    ]);
    for (const name of ['output', 'path', 'environment']) writeFileSync(at(name), '');
    rmSync(at('binnacle'), { recursive: true, force: true });
  });

  /** Runs the script as a step of a job. */
  async function install(inputs: Readonly<Record<string, string>>) {
    const { port } = releases.address() as { port: number };
    const child: ChildProcess = spawn('bash', [SCRIPT], {
      env: {
        PATH: process.env['PATH'],
        RUNNER_TEMP: directory,
        GITHUB_OUTPUT: at('output'),
        GITHUB_PATH: at('path'),
        GITHUB_ENV: at('environment'),
        GITHUB_SERVER_URL: 'https://example.invalid',
        RELEASES: `http://127.0.0.1:${port}`,
        VERSION: 'v0.1.0',
        EXECUTABLE: '',
        ENVTEST: 'true',
        KUBERNETES_VERSION: '',
        REPOSITORY: 'owner/binnacle',
        ...inputs,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, output };
  }
  const written = (name: string): string => readFileSync(at(name), 'utf8');

  it('installs a release, and the binaries for envtest', async () => {
    const { code, output } = await install({ KUBERNETES_VERSION: '1.32' });
    expect([code, output]).toEqual([0, expect.stringMatching(/^Binnacle \S+ \(Kubernetes v1\.32\./m)]);
    const [bin, assets] = [at('binnacle/binnacle'), at('binnacle/envtest')];
    expect(written('output')).toBe(`bin=${bin}\nassets=${assets}\n`);
    expect(written('path')).toBe(`${at('binnacle')}\n`);
    expect(written('environment')).toBe(`BINNACLE_BIN=${bin}\nKUBEBUILDER_ASSETS=${assets}\n`);
    expect(['kube-apiserver', 'etcd', 'kubectl'].filter((name) => !existsSync(join(assets, name)))).toEqual(
      [],
    );
  });

  it('installs an executable of an earlier step, without envtest', async () => {
    writeFileSync(at('made'), PROGRAM);
    const { code } = await install({
      EXECUTABLE: at('made'),
      ENVTEST: 'false',
      RELEASES: 'http://127.0.0.1:1',
    });
    expect(code).toBe(0);
    expect(written('output')).toBe(`bin=${at('binnacle/binnacle')}\n`);
    expect(written('environment')).not.toContain('KUBEBUILDER_ASSETS');
  });

  it.each<[string, Readonly<Record<string, string>>, () => unknown, string]>([
    [
      'another checksum',
      {},
      () => files.set(NAME, `${PROGRAM}#`),
      `${NAME} has another checksum than SHA256SUMS says`,
    ],
    [
      'no checksum',
      {},
      () => files.set('SHA256SUMS', `${sum(PROGRAM)}  ${NAME}.sig\n`),
      `SHA256SUMS does not name ${NAME}`,
    ],
    ['no file', {}, () => files.delete(NAME), `${NAME} cannot be downloaded: name a release with 'version'`],
    [
      'a branch as version',
      { VERSION: 'main' },
      () => undefined,
      "'main' is not a release: name one with 'version'",
    ],
    ['a version with other characters', { VERSION: '0.1.0/../..' }, () => undefined, 'is not a release'],
    ['an absent executable', { EXECUTABLE: '/absent' }, () => undefined, 'there is no file /absent'],
  ])('refuses %s', async (_, inputs, change, message) => {
    change();
    const { code, output } = await install(inputs);
    expect(code).toBe(1);
    expect(output).toMatch(/^::error title=Set up Binnacle::/m);
    expect(output).toContain(message);
    expect(written('environment')).toBe('');
  });

  it('is described as it is', () => {
    const { value } = parseYaml(readFileSync(join(ROOT, 'action/action.yml')));
    const { inputs, outputs } = value as Record<'inputs' | 'outputs', object>;
    const page = pageText('action/README.md');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual([...Object.keys(inputs), ...Object.keys(outputs)].sort());
    const [example] = codeBlocks('action/README.md').filter(({ language }) => language === 'yaml');
    expect(`${example!.text}\n`).toBe(readFileSync(join(ROOT, 'action/example.yml'), 'utf8'));
  });
});
