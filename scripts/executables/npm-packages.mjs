// Packages for npm with the executables: one for each platform, which npm installs where it fits, and one that
// depends on all of them.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLATFORMS } from './platforms.mjs';

const SCOPE = '@binnacle';
export const COMMAND_PACKAGE = `${SCOPE}/executable`;

/** Name of the package of a platform, by the names that Node.js gives to it. */
const packageOf = (platform) => `${SCOPE}/${platform.replace(/^win-/, 'win32-')}`;

const common = ({ version, license, description, repository }) => ({
  version,
  description,
  license,
  ...(repository !== undefined && { repository }),
});

/**
 * Writes the folder of a platform's package and returns it.
 * @param executable its file
 * @param texts files to put beside it: licences
 */
export function writePlatformPackage({ manifest, platform, executable, texts, folder }) {
  const name = packageOf(platform);
  const target = join(folder, name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'bin'), { recursive: true });
  const [os, cpu] = name.slice(SCOPE.length + 1).split('-');
  writeManifest(target, {
    name,
    ...common(manifest),
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && { libc: ['glibc'] }),
    preferUnplugged: true,
  });
  copyFileSync(executable, join(target, 'bin', os === 'win32' ? 'binnacle.exe' : 'binnacle'));
  for (const text of texts) cpSync(text, join(target, text.split('/').at(-1)));
  return target;
}

/** Writes the folder of the package that has the command and depends on the platforms' packages, and returns it. */
export function writeCommandPackage({ manifest, launcher, texts, folder }) {
  const target = join(folder, COMMAND_PACKAGE);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'bin'), { recursive: true });
  const names = Object.keys(PLATFORMS).map(packageOf);
  writeManifest(target, {
    name: COMMAND_PACKAGE,
    ...common(manifest),
    bin: { binnacle: 'bin/binnacle.cjs' },
    engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(names.map((name) => [name, manifest.version])),
  });
  writeFileSync(join(target, 'bin/binnacle.cjs'), launcher, { mode: 0o755 });
  for (const text of texts) cpSync(text, join(target, text.split('/').at(-1)));
  return target;
}

const writeManifest = (target, manifest) =>
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
