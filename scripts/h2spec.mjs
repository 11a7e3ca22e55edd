#!/usr/bin/env node
// Runs h2spec, the conformance tests of HTTP/2, over TLS against the built server. Every case must pass. The run
// is skipped if Go is not installed or its module proxy is not reached.
//
// node scripts/h2spec.mjs [SECTION …]     such as http2/5.1 or hpack
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, root } from './support/ratchet.mjs';

const PACKAGE = 'github.com/summerwind/h2spec/cmd/h2spec';
/** The whole suite, strict cases included. */
const CASES = 146;
const MOST_MILLISECONDS = 240_000;

const directory = mkdtempSync(join(tmpdir(), 'binnacle-h2spec-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

/** Builds the program from the module with its pinned versions. */
function build() {
  const program = join(directory, 'h2spec');
  const options = { cwd: join(root, 'test/e2e/h2spec'), encoding: 'utf8' };
  const downloaded = spawnSync('go', ['mod', 'download'], { ...options, timeout: 60_000 });
  if (downloaded.status !== 0) {
    console.log(`skipped: ${downloaded.error?.message ?? downloaded.stderr.trim()}`);
    process.exit(0);
  }
  const { status, stderr } = spawnSync('go', ['build', '-o', program, PACKAGE], options);
  if (status !== 0) throw new Error(stderr);
  return program;
}

/** Starts the server, and resolves with its port. */
async function start() {
  const words = [
    'dist/main.js',
    `--data-dir=${join(directory, 'data')}`,
    '--secure-port=0',
    // Every request is anonymous: otherwise the first one ends its connection.
    '--feature-gates=UnauthenticatedHTTP2DOSMitigation=false',
    '--controllers=-*',
  ];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  let output = '';
  const port = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const ready = /is ready at \S+:(\d+)/.exec(output);
      if (ready !== null) resolve(ready[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(`the server ended:\n${output}`)));
  });
  return port;
}

const sections = process.argv.slice(2);
const program = build();
const built = spawnSync(process.execPath, ['scripts/ensure.mjs', 'build'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
const port = await start();
const { stdout } = spawnSync(program, ['-S', '-t', '-k', '-h', '127.0.0.1', '-p', port, ...sections], {
  encoding: 'utf8',
  timeout: MOST_MILLISECONDS,
});
const failures = stdout.indexOf('\nFailures:');
if (failures >= 0) console.log(stdout.slice(failures + 1).trimEnd());
const [, tests, passed] = /^(\d+) tests, (\d+) passed/m.exec(stdout) ?? [stdout, 0, 0];
const expected = sections.length > 0 ? Number(tests) : CASES;
finish(Number(passed), expected - Number(passed));
