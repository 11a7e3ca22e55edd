import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkDataDirectory } from '../../files/data-directory.ts';
import { keepsData } from './disk.ts';
import { type Check, type Finding, finding, findingOf } from './finding.ts';

/** Bits of a mode that let others read or write. */
const OF_OTHERS = 0o077;

/** Whether the data directory belongs to this user, can be used, and is one. */
export const checkDirectory: Check = ({ dataDirectory, options }): Finding[] => {
  if (!keepsData(options)) return [finding('directory', 'ok', 'no data directory is used')];
  const path = resolve(dataDirectory);
  if (!existsSync(path)) {
    const parent = dirname(path);
    return [
      !existsSync(parent) || isWritable(parent)
        ? finding('directory', 'ok', `${path} does not exist yet; the server creates it`)
        : finding(
            'directory',
            'problem',
            `${path} does not exist, and ${parent} cannot be written by this user`,
            'choose another directory with --data-dir',
          ),
    ];
  }
  const { uid, mode } = statSync(path);
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && uid !== own)
    return [
      finding(
        'directory',
        'problem',
        `${path} belongs to user ${uid}, and this is user ${own}`,
        `run as its owner, or give it away: chown -R ${own} ${path}`,
      ),
    ];
  try {
    checkDataDirectory(dataDirectory);
  } catch (error) {
    return [findingOf('directory', 'problem', error)];
  }
  if (!isWritable(path))
    return [
      finding(
        'directory',
        'problem',
        `${path} cannot be written by this user`,
        `correct its permissions: chmod u+rwx ${path}`,
      ),
    ];
  return [
    finding('directory', 'ok', `${path} belongs to user ${uid}`),
    ...(own !== undefined && uid !== own
      ? [
          finding(
            'directory',
            'warning',
            `${path} belongs to user ${uid}, and this is root: what root writes there, its owner cannot read`,
            'run as its owner',
          ),
        ]
      : []),
    ...((mode & OF_OTHERS) !== 0 && own !== undefined
      ? [
          finding(
            'directory',
            'warning',
            `${path} can be entered by other users (mode ${(mode & 0o777).toString(8)})`,
            `chmod 700 ${path}`,
          ),
        ]
      : []),
  ];
};

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
