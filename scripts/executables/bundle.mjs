// The program of the executables as one CommonJS script.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

/** Options of both scripts. Node.js in the executable is NODE_VERSION of platforms.mjs. */
const COMMON = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  // All modules of Node.js are there for require(); import() in a compiled script would need a loader.
  supported: { 'dynamic-import': false },
  // The script is read as Latin-1, which is faster than UTF-8.
  charset: 'ascii',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
};

/** Gives lmdb the library that is inside of the executable, instead of one that it searches on disk. */
const embeddedLibrary = {
  name: 'embedded-library',
  setup({ onResolve }) {
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => ({
      path: resolve('src/executable/addon.ts'),
    }));
  },
};

/** The whole program. Modules that it loads late are evaluated when they are first used. */
export async function bundleProgram({ version, addon }) {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: ['src/executable/main.ts'],
    define: {
      'process.env.BINNACLE_VERSION': JSON.stringify(version),
      TEST_BUILD: 'false',
      LIBRARY_NAME: JSON.stringify(addon.name),
      LIBRARY_HASH: JSON.stringify(createHash('sha256').update(readFileSync(addon.file)).digest('hex')),
      'import.meta.url': 'bundleUrl',
    },
    banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
    plugins: [embeddedLibrary],
  });
  return outputFiles[0].text;
}

/** The script that Node.js runs, and that compiles the program. */
export async function bundleLoader({ hasCode = false, recordsCode = false }) {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: ['src/executable/load.ts'],
    define: { HAS_CODE: String(hasCode), RECORDS_CODE: String(recordsCode) },
  });
  return outputFiles[0].text;
}
