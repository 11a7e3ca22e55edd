#!/usr/bin/env node
// Checks action/action.yml and its example with actionlint. The check is skipped (exit status 77) if Go is not
// installed or its module proxy is not reached.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const SKIPPED = 77;

const directory = mkdtempSync(join(tmpdir(), 'binnacle-action-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}

const env = { ...process.env, GOFLAGS: '-mod=mod', GOBIN: directory };
const installed = spawnSync('go', ['install', PACKAGE], { cwd: directory, env, encoding: 'utf8' });
if (installed.status !== 0) skip(installed.error?.message ?? installed.stderr.trim());

// actionlint reads an action of the same repository, and checks that its inputs exist.
const workflows = join(directory, 'project/.github/workflows');
mkdirSync(workflows, { recursive: true });
mkdirSync(join(directory, 'project/.git'));
cpSync(join(root, 'action'), join(directory, 'project/action'), { recursive: true });
const example = readFileSync(join(root, 'action/example.yml'), 'utf8');
const local = example.replace(/uses: \S+\/action@\S+/, 'uses: ./action');
if (local === example) throw new Error('action/example.yml does not use the action');
writeFileSync(join(workflows, 'example.yml'), local);
const { status, stdout, stderr } = spawnSync(join(directory, 'actionlint'), ['-no-color'], {
  cwd: join(directory, 'project'),
  encoding: 'utf8',
});
process.stdout.write(stdout + stderr);
if (status === 0) console.log('the action and its example are valid');
process.exitCode = status ?? 1;
