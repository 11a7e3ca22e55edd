// Finds the tests near a change: those at the mirrored path, then those that import the changed files, nearest first.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** Directories whose files tests import. */
const DIRECTORIES = ['src', 'test', 'scripts', 'bench'];
/** A relative module name after `from`, `import` or `import(`. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*'(\.[^'\n]*)'/g;

/** Returns the importers of each file below the root; paths are relative to it. */
export function importersOf(root) {
  const importers = new Map();
  for (const directory of DIRECTORIES)
    for (const name of readdirSync(join(root, directory), { recursive: true })) {
      if (!/\.(ts|mjs)$/.test(name)) continue;
      const file = posix.join(directory, name);
      for (const [, target] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED)) {
        const path = posix.join(dirname(file), target);
        if (!importers.has(path)) importers.set(path, []);
        importers.get(path).push(file);
      }
    }
  return importers;
}

/** The paths where the tests of a file are. A directory ends with a slash. */
function mirrored(file) {
  if (file.endsWith('.md')) return ['test/documentation/'];
  if (file.startsWith('.ci/') || file.startsWith('.githooks/') || file === 'package.json')
    return ['test/scripts/'];
  const [, path] = /^src\/(.*)\.ts$/.exec(file) ?? [];
  if (path !== undefined) return [`test/${path}.test.ts`];
  const [, script] = /^scripts\/(?:support\/)?([^/]*)\.[a-z]+$/.exec(file) ?? [];
  return script === undefined ? [] : [`test/scripts/${script}.test.ts`];
}

/**
 * Orders tests by their distance from the changed files.
 * @param changed paths relative to the root
 * @param importers of `importersOf`
 * @param tests paths of all tests
 * @returns paths of the tests that a change can affect: changed and mirrored ones, then by the number of imports between
 */
export function relatedTests(changed, importers, tests) {
  const places = changed.flatMap(mirrored);
  const isMirrored = (test) =>
    places.some((place) => (place.endsWith('/') ? test.startsWith(place) : test === place));
  // Keeps the order in which paths were added, which is that of their distance.
  const reached = new Set([...changed, ...tests.filter(isMirrored)]);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  const all = new Set(tests);
  return [...reached].filter((file) => all.has(file));
}
