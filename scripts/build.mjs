// Bundles the server and the library into dist/, then writes the type declarations.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { serverChunk } from './support/server-chunk.mjs';

rmSync('dist', { recursive: true, force: true });
const packageFile = JSON.parse(readFileSync('package.json', 'utf8'));
const entryPoints = {
  main: 'src/main.ts',
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  cel: 'src/cel/index.ts',
  'yaml-worker': 'src/codec/yaml-worker.ts',
};
const options = {
  entryPoints: Object.fromEntries(Object.entries(entryPoints).filter(([, file]) => existsSync(file))),
  outdir: 'dist',
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
  define: { 'process.env.BINNACLE_VERSION': JSON.stringify(packageFile.version) },
};
await build({ ...options, plugins: [await serverChunk('src/server.ts', options)] });
chmodSync('dist/main.js', 0o755);
if (process.argv.includes('--declarations')) {
  const { status } = spawnSync(
    'node',
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.declarations.json'],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}
