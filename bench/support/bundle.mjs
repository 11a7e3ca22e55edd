// Bundles modules of `src/` as the build does, to measure single functions of the server.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Bundles a module given as TypeScript text, whose imports are relative to the root of the repository. */
export async function bundle(contents) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const directory = await mkdtemp(join(root, 'node_modules/.bench-'));
  const outfile = join(directory, 'bundle.mjs');
  const remove = () => rm(directory, { recursive: true });
  try {
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: pathToFileURL(outfile).href, remove };
}

/** Imports such a module into this process. */
export async function importBundled(contents) {
  const { url, remove } = await bundle(contents);
  try {
    return await import(url);
  } finally {
    await remove();
  }
}
