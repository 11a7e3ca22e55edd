// The licences of the packages that are installed with this one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** SPDX identifiers that may be distributed with a package under Apache-2.0. */
export const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

const TEXT_FILE = /^(licen[cs]e|copying|copyright|notice)(\.(md|txt))?$/i;
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The packages that a user installs, by the lock file: dependencies, and optional ones for every platform.
 * @returns name, version, licence, path below the root, and the path of the package that needs a binary of a platform
 */
export function shippedPackages(lock) {
  const { packages } = lock;
  const found = new Map();
  const pending = [{ path: '', platformOf: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = packages[next.path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = resolvePackage(packages, next.path, name);
      if (path === undefined)
        throw new Error(`${name}, a dependency of ${next.path || 'the package'}, is not in the lock file`);
      if (found.has(path)) continue;
      const { version, os, license = os && packages[next.path].license } = packages[path];
      found.set(path, { name, version, license, path, platformOf: os === undefined ? undefined : next.path });
      pending.push({ path });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Finds a dependency as Node.js does: in the package, then in the folders above it. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}

/** What is wrong with the licences, one line each. */
export function licenceProblems(root, packages) {
  return packages.flatMap((shipped) => {
    const { name, version, license } = shipped;
    if (license === undefined) return [`${name} ${version} names no licence`];
    if (!ALLOWED.has(license))
      return [`${name} ${version} has the licence ${license}, which is not in the list of allowed ones`];
    return textsOf(root, shipped).length === 0
      ? [`${name} ${version} has no text of its licence ${license}`]
      : [];
  });
}

/** Licence texts of a package and of the sources in it: the file and its text. */
function textsOf(root, { name, path, platformOf, license }) {
  // The binary of a platform is part of the package that needs it, and is installed on that platform only.
  if (platformOf !== undefined)
    return [{ file: '', text: `See ${platformOf.split('node_modules/').at(-1)}.` }];
  const directory = join(root, path);
  if (!existsSync(directory)) return [];
  const texts = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(directory.length + 1))
    .filter((file) => !file.split('/').includes('node_modules'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(directory, file), 'utf8').trim() }));
  if (texts.some(({ file }) => !file.includes('/'))) return withoutRepetitions(texts);
  const author = license === 'MIT' ? authorOf(directory) : undefined;
  return author === undefined
    ? []
    : [{ file: '', text: `${name}\nCopyright (c) ${author}\n\n${MIT}` }, ...withoutRepetitions(texts)];
}

function authorOf(directory) {
  const { author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return typeof author === 'object' ? author?.name : author;
}

const withoutRepetitions = (texts) =>
  texts.filter(({ text }, index) => texts.findIndex((other) => other.text === text) === index);

const RULE = '='.repeat(80);

/** The text of THIRD-PARTY-LICENSES.txt. */
export function renderLicences(root, packages) {
  const sections = packages.map((shipped) => {
    const texts = textsOf(root, shipped).map(({ file, text }) =>
      file.includes('/') ? `${file}:\n\n${text}` : text,
    );
    return [
      RULE,
      `${shipped.name} ${shipped.version}: ${shipped.license}`,
      RULE,
      '',
      texts.join('\n\n'),
      '',
    ].join('\n');
  });
  return `Licences of the packages that are installed with Binnacle. npm run release:check writes this file.\n\n${sections.join('\n')}`;
}
