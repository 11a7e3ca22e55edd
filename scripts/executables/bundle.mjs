// The program of the executables as one CommonJS script.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

/** Options of both scripts. Node.js in the executable is NODE_VERSION of platforms.mjs. */
export const COMMON = {
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

/**
 * Makes a plugin that gives lmdb its library.
 * @param source what loads the library, instead of a search beside the bundle
 */
export const lmdbLibrary = (source) => ({
  name: 'lmdb-library',
  setup({ onResolve }) {
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => ({ path: resolve(source) }));
  },
});
/** What a bundle says instead of `import.meta.url`. */
export const BUNDLE_URL = {
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
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
      ...BUNDLE_URL.define,
    },
    banner: BUNDLE_URL.banner,
    plugins: [lmdbLibrary('src/executable/addon.ts')],
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
