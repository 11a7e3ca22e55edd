// Prepares a fresh clone for `npm start` and `npm test`: installs missing dependencies and rebuilds outdated
// output.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    process.stderr.write(`${command} ${args.join(' ')} failed; run it manually to see the error\n`);
    process.exit(status ?? 1);
  }
}

function newest(path) {
  const stat = statSync(path);
  return stat.isDirectory()
    ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
    : stat.mtimeMs;
}

if (!existsSync('node_modules/esbuild')) {
  process.stderr.write('installing dependencies …\n');
  run('npm', ['ci', '--no-audit', '--no-fund']);
}
if (process.argv[2] === 'build') {
  const built = existsSync('dist/main.js') ? statSync('dist/main.js').mtimeMs : 0;
  const sources = [
    'src',
    'package.json',
    'scripts/build.mjs',
    'scripts/support',
    'scripts/executables/bundle.mjs',
  ];
  if (Math.max(...sources.map(newest)) > built) run('node', ['scripts/build.mjs']);
}
