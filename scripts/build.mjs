// Bundles the server and the library into dist/, and runs the server to compile its code for this Node.js. With
// --declarations it also writes the type declarations.
// With --small-steps it bundles a server for tests into dist-small-steps/ instead, which does all work in steps of
// BINNACLE_STEP_SIZE: see npm run conformance.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeCompiledCommand } from './support/compiled-command.mjs';
import { serverChunk } from './support/server-chunk.mjs';

const inSmallSteps = process.argv.includes('--small-steps');
const outdir = inSmallSteps ? 'dist-small-steps' : 'dist';
// The executables are large and are written by a command of their own.
if (existsSync(outdir))
  for (const name of readdirSync(outdir))
    if (name !== 'executables') rmSync(join(outdir, name), { recursive: true, force: true });
const packageFile = JSON.parse(readFileSync('package.json', 'utf8'));
const entryPoints = {
  main: 'src/main.ts',
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  cel: 'src/cel/index.ts',
};
const options = {
  entryPoints: Object.fromEntries(Object.entries(entryPoints).filter(([, file]) => existsSync(file))),
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: 'linked',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  define: {
    'process.env.BINNACLE_VERSION': JSON.stringify(packageFile.version),
    // A build for tests reads BINNACLE_STEP_SIZE: src/steps/sizes.ts.
    TEST_BUILD: String(inSmallSteps),
  },
};
await build({ ...options, plugins: [await serverChunk('src/server.ts', options)] });
chmodSync(`${outdir}/main.js`, 0o755);
if (!inSmallSteps) await writeCompiledCommand(`${outdir}/compiled`, options.define);
if (process.argv.includes('--declarations')) {
  const { status } = spawnSync(
    'node',
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.declarations.json'],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}
