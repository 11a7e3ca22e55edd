// Files of packages of the registry, which are kept in a folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CACHE = resolve('node_modules/.cache/binnacle-executables');

/**
 * Unpacks a package of the registry, whose archive must have this integrity, and returns the folder with its files. A
 * package of another platform can not be a dependency: npm refuses to install it here.
 */
export function packageFolder(name, version, integrity) {
  const folder = join(CACHE, `${name.replace('/', '-')}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, '.fetch-'));
  try {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`, `--pack-destination=${scratch}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // Only the archive is fetched: no package is resolved, and none of the project is read.
      cwd: scratch,
    });
    const [archive] = readdirSync(scratch);
    const found = `sha512-${createHash('sha512')
      .update(readFileSync(join(scratch, archive)))
      .digest('base64')}`;
    if (found !== integrity)
      throw new Error(`${name}@${version} has the integrity ${found}, and ${integrity} is expected`);
    execFileSync('tar', ['-xzf', join(scratch, archive), '-C', scratch]);
    rmSync(join(scratch, archive));
    renameSync(scratch, folder);
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
  return join(folder, 'package');
}
