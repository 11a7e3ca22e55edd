#!/usr/bin/env node
// Writes executables that need no Node.js into dist/executables, with their checksums and licences.
//
//   npm run executables                   for all platforms
//   npm run executables -- linux-x64      for one
//   npm run executables -- --npm          also folders of npm packages with them, in dist/executables/npm
//
// It runs on Linux for x64 and fetches Node.js for each platform from the registry.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble, recordCode } from './executables/assemble.mjs';
import { bundleLoader, bundleProgram } from './executables/bundle.mjs';
import { writeCommandPackage, writePlatformPackage } from './executables/npm-packages.mjs';
import { packageFolder } from './executables/packages.mjs';
import { executableName, HOST, PLATFORMS, POSTJECT, WRITER } from './executables/platforms.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const OUTPUT = resolve('dist/executables');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { version } = manifest;
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const words = process.argv.slice(2);
const chosen = words.filter((word) => word !== '--npm');
const unknown = chosen.find((name) => !Object.hasOwn(PLATFORMS, name));
if (unknown !== undefined)
  throw new Error(`${unknown} is not a platform: ${Object.keys(PLATFORMS).join(', ')}`);
if (HOST !== WRITER.platform)
  throw new Error(`executables are written on ${WRITER.platform}, and this is ${HOST}`);

const executableOf = (folder, path) => {
  const file = join(folder, path);
  chmodSync(file, 0o755);
  return file;
};
const nodeFolder = ({ node, version: release, integrity }) => packageFolder(node, release, integrity);
const nodeOf = (platform) => executableOf(nodeFolder(PLATFORMS[platform]), PLATFORMS[platform].path);
/** Node.js that makes the program of a platform: of the same release, for this machine. */
function writerOf({ version: release }) {
  const { node, path } = PLATFORMS[WRITER.platform];
  return executableOf(packageFolder(node, release, WRITER.integrities[release]), path);
}
const postject = join(packageFolder(POSTJECT.name, POSTJECT.version, POSTJECT.integrity), 'dist/api.js');

function addonOf(platform) {
  const { addon, library } = PLATFORMS[platform];
  const { version: addonVersion, integrity } = packages[`node_modules/${addon}`];
  return { name: `lmdb-${addonVersion}`, file: join(packageFolder(addon, addonVersion, integrity), library) };
}

/** Writes the executable of a platform. Only that of this machine can have compiled code. */
async function write(platform, scratch) {
  const addon = addonOf(platform);
  const bundle = join(scratch, 'bundle.cjs');
  writeFileSync(bundle, await bundleProgram({ version, addon }));
  const common = {
    platform,
    writer: writerOf(PLATFORMS[platform]),
    node: nodeOf(platform),
    postject,
    scratch,
  };
  const assets = { 'bundle.cjs': bundle, 'addon.node': addon.file };
  if (platform === HOST) {
    const recorder = join(scratch, 'recorder');
    const code = join(scratch, 'code-cache');
    await assemble({
      ...common,
      loader: await bundleLoader({ recordsCode: true }),
      assets,
      output: recorder,
    });
    await recordCode(recorder, code);
    rmSync(recorder);
    assets['code-cache'] = code;
  }
  const output = join(OUTPUT, executableName(version, platform));
  const loader = await bundleLoader({ hasCode: 'code-cache' in assets });
  await assemble({ ...common, loader, assets, output });
  return output;
}

mkdirSync(OUTPUT, { recursive: true });
const platforms = chosen.length > 0 ? chosen : Object.keys(PLATFORMS);
for (const platform of platforms) {
  const scratch = mkdtempSync(join(tmpdir(), 'binnacle-executable-'));
  try {
    const file = await write(platform, scratch);
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const LICENCES = 'THIRD-PARTY-LICENSES.txt';
const rule = '='.repeat(80);
const ofNode = Object.entries(WRITER.integrities).map(([release, integrity]) => {
  const text = join(packageFolder(PLATFORMS[WRITER.platform].node, release, integrity), 'LICENSE');
  return `\n${rule}\nNode.js ${release}, with its parts\n${rule}\n\n${readFileSync(text, 'utf8')}`;
});
writeFileSync(join(OUTPUT, LICENCES), readFileSync(LICENCES, 'utf8') + ofNode.join(''));

const sums = readdirSync(OUTPUT)
  .filter((name) => name.startsWith(`binnacle-${version}-`) || name === LICENCES)
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(OUTPUT, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(OUTPUT, 'SHA256SUMS'), sums.join(''));

if (words.includes('--npm')) {
  const folder = join(OUTPUT, 'npm');
  const texts = ['LICENSE', join(OUTPUT, LICENCES)];
  for (const platform of platforms) {
    const executable = join(OUTPUT, executableName(version, platform));
    console.log(writePlatformPackage({ manifest, platform, executable, texts, folder }));
  }
  const launcher = readFileSync('scripts/executables/launcher.cjs');
  console.log(writeCommandPackage({ manifest, launcher, texts: ['LICENSE'], folder }));
}
