// What a release must be: its version, the files of the package and what may not be in them.

/** Version of the newest release in a changelog, and the number of entries above it. */
export function newestRelease(changelog) {
  const heading = /^## (\d+\.\d+\.\d+\S*)$/m.exec(changelog);
  if (heading === null) return undefined;
  const above = changelog.slice(0, heading.index);
  return { version: heading[1], unreleased: above.match(/^- /gm)?.length ?? 0 };
}

/** The files that the package may have. */
const ALLOWED_FILES = [
  /^(CHANGELOG|CONTRIBUTING|README|SECURITY)\.md$/,
  /^(LICENSE|THIRD-PARTY-LICENSES\.txt|package\.json)$/,
  /^dist\/(cel|index|main|testing)\.js(\.map)?$/,
  /^dist\/chunks\/[\w.-]+-[A-Z0-9]{8}\.js(\.map)?$/,
  /^dist\/types\/[a-z0-9/-]+\.d\.ts$/,
  /^docs\/(README|[a-z-]+)\.(md|json)$/,
  /^examples\/[a-z-]+\/([a-z.-]+\.(mjs|sh|ts|yaml|json)|Dockerfile)$/,
  /^examples\/README\.md$/,
];
const NEEDED_FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-LICENSES.txt',
  'dist/cel.js',
  'dist/index.js',
  'dist/main.js',
  'dist/testing.js',
  'dist/types/cel/index.d.ts',
  'dist/types/index.d.ts',
  'dist/types/testing/index.d.ts',
  'docs/stability.md',
  'package.json',
];

/** What is wrong with the list of files, one line each. */
export function fileProblems(files) {
  return [
    ...files
      .filter((file) => !ALLOWED_FILES.some((pattern) => pattern.test(file)))
      .map((file) => `${file} does not belong in the package`),
    ...NEEDED_FILES.filter((file) => !files.includes(file)).map(
      (file) => `${file} is missing in the package`,
    ),
  ];
}

const HOME_PATH = /\/(?:home|Users)\/[a-z][\w.-]*\/[\w.-]+/g;

/**
 * Names of the machine that made the package, in a file of it.
 * @param forbidden paths and host names, beside those of home directories
 */
export function leakProblems(file, text, forbidden) {
  const found = [...forbidden.filter((word) => text.includes(word)), ...(text.match(HOME_PATH) ?? [])];
  return [...new Set(found)].map((word) => `${file} contains ${word}`);
}

/** Hosts of registries: npm's own, the configured one, and those of a lock file. */
export function registryHosts(registry, lock) {
  const addresses = [registry, ...Object.values(lock.packages).map(({ resolved }) => resolved)];
  const hosts = addresses
    .filter((address) => /^https?:/.test(address ?? ''))
    .map((address) => new URL(address).host);
  return [...new Set(['registry.npmjs.org', 'registry.yarnpkg.com', ...hosts])];
}
