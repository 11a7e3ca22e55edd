// Writes docs/flags.md from the flag table. With --check, fails if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const PAGE = 'docs/flags.md';
const bundle = await build({
  stdin: {
    contents: "export { flagReference } from './src/cli/flag-reference.ts';",
    resolveDir: '.',
    loader: 'ts',
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
const { flagReference } = await import(
  `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString('base64')}`
);
const page = flagReference();
if (process.argv.includes('--check')) {
  if (readFileSync(PAGE, 'utf8') !== page) {
    console.error(`${PAGE} is out of date: run node scripts/generate-flag-reference.mjs`);
    process.exit(1);
  }
} else writeFileSync(PAGE, page);
