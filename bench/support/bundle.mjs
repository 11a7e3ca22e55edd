// Measures functions of the server in this process: bundles modules of `src/` as the build does.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Imports a module given as TypeScript text, whose imports are relative to the root of the repository. */
export async function importBundled(contents) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const directory = await mkdtemp(join(root, 'node_modules/.bench-'));
  try {
    const outfile = join(directory, 'bundle.mjs');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(directory, { recursive: true });
  }
}
