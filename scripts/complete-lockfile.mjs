#!/usr/bin/env node
// Adds optional packages of other platforms to package-lock.json if a partial registry omitted them; `npm ci`
// rejects a lockfile without them. Run it after `npm install`; it sends no requests.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const added = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    // Only exact versions can be added without the registry; platform packages always have exact versions.
    if (
      lock.packages[place] !== undefined ||
      lock.packages[`${path}/${place}`] !== undefined ||
      !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)
    )
      continue;
    const words = name.split(/[/-]/);
    const os = SYSTEMS.filter((system) => words.includes(system));
    const cpu = PROCESSORS.filter((processor) => words.includes(processor)).slice(0, 1);
    const libc = words.some((word) => word.startsWith('musl'))
      ? ['musl']
      : words.includes('gnu')
        ? ['glibc']
        : [];
    const limits = Object.fromEntries(
      Object.entries({ os, cpu, libc }).filter(([, names]) => names.length > 0),
    );
    lock.packages[place] = { version, ...(dev ? { dev } : {}), optional: true, ...limits };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) =>
  a === b ? 0 : a.localeCompare(b, 'en') < 0 ? -1 : 1,
);
lock.packages = Object.fromEntries(sorted);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} packages added${added.length > 0 ? `: ${added.join(', ')}` : ''}`);
