// Keeps what every server loads in few chunks.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * Makes an esbuild plugin that adds an import of the server to the modules that only a server loads late, with
 * `import()`. When they are loaded the server is already there, so their behaviour does not change. But esbuild
 * makes a chunk for every set of entry points that share modules, and then all of these modules share all of the
 * server: it becomes one chunk instead of a hundred, which cost more time at start than they hold.
 * @param server source file that is the server
 * @param options of the build
 */
export async function serverChunk(server, options) {
  const root = options.absWorkingDir ?? process.cwd();
  const files = new Set((await lateFiles(server, options)).map((file) => join(root, file)));
  return {
    name: 'server-chunk',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!files.has(path)) return undefined;
        const text = await readFile(path, 'utf8');
        // Relative, because source maps contain it.
        const imported = `./${relative(dirname(path), join(root, server))}`;
        return { contents: `${text}\nimport ${JSON.stringify(imported)};\n`, loader: 'ts' };
      });
    },
  };
}

/** The files that are loaded late by a server, and not without one. */
async function lateFiles(server, options) {
  const { metafile } = await build({ ...options, sourcemap: false, metafile: true, write: false });
  const importsOf = (file) => metafile.inputs[file].imports.filter(({ external }) => !external);
  const reachable = (roots, without) => {
    const seen = new Set(roots);
    for (const file of seen) for (const { path } of importsOf(file)) if (path !== without) seen.add(path);
    return seen;
  };
  const others = reachable(Object.values(options.entryPoints), server);
  return [...reachable([server])]
    .flatMap(importsOf)
    .filter(({ kind, path }) => kind === 'dynamic-import' && !others.has(path))
    .map(({ path }) => path);
}
