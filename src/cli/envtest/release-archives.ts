import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { PRODUCT_VERSION } from '../../options/version.ts';
import type { CommandOutput } from '../output.ts';
import { findKubectl, writeFlags, writePrograms } from './assets.ts';
import type { EnvtestEnvironment } from './environment.ts';
import type { EnvtestOptions } from './options.ts';
import { type GoPlatform, goPlatform } from './platform.ts';
import type { Program } from './program.ts';
import { type Archive, archiveName, INDEX_FILE, writeArchive, writeIndex } from './release-index.ts';
import { flagsOf, versionOf } from './releases.ts';

/** A program for one platform. */
interface Source {
  readonly program: Program;
  readonly platform: GoPlatform;
  readonly extension: string;
  readonly kubectl: string | undefined;
}

/** The folder in which programs are made before they are archived. */
const SCRATCH = '.programs-';

/**
 * Writes an archive for each release and platform, and their index. Returns the exit code.
 * @throws ConfigurationError when the directory has files of others, or no executable is found; the system error
 */
export async function writeReleases(
  options: EnvtestOptions & { readonly flags: readonly string[] },
  environment: EnvtestEnvironment,
  output: CommandOutput,
): Promise<number> {
  const { directory, url, flags } = options;
  refuseOthers(directory);
  mkdirSync(directory, { recursive: true });
  const sources =
    options.executables === undefined
      ? [ownSource(environment)]
      : foundSources(options.executables, environment);
  const archives = new Map<string, Archive[]>();
  for (const minor of options.minors) {
    const version = versionOf(minor);
    archives.set(version, []);
    for (const { program, platform, extension, kubectl } of sources) {
      const scratch = mkdtempSync(join(directory, SCRATCH));
      try {
        writePrograms(scratch, { program, extension }, kubectl);
        writeFlags(scratch, [...flags, ...flagsOf(minor)]);
        archives.get(version)!.push(await writeArchive(directory, archiveName(version, platform), scratch));
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    }
  }
  writeIndex(directory, url, archives);
  if ('node' in environment.program && options.executables === undefined)
    output.error(
      'The archive starts the Node.js and the Binnacle of this machine, and works only here: --executables names a folder with executables\n',
    );
  output.out(`setup-envtest use --index ${new URL(INDEX_FILE, baseOf(url)).href}\n`);
  return 0;
}

const baseOf = (url: URL): string => (url.href.endsWith('/') ? url.href : `${url.href}/`);

function refuseOthers(directory: string): void {
  const own = /^(envtest-v[\w.-]+\.tar\.gz|\.programs-.*)$/;
  const others = existsSync(directory)
    ? readdirSync(directory).filter((name) => name !== INDEX_FILE && !own.test(name))
    : [];
  if (others.length > 0)
    throw new ConfigurationError(
      `${directory} contains ${others[0]}: name a new directory, or one that binnacle envtest --index wrote`,
    );
}

function ownSource({ program, path, platform, architecture }: EnvtestEnvironment): Source {
  const extension = platform === 'win32' ? '.exe' : '';
  const kubectl = findKubectl({ path, extension }, []);
  return { program, platform: goPlatform(platform, architecture), extension, kubectl };
}

/** The executables of this version in a folder. Only that of this platform gets the kubectl on the path. */
function foundSources(folder: string, environment: EnvtestEnvironment): Source[] {
  const own = ownSource(environment);
  const found = readdirSync(folder).flatMap((name): Source[] => {
    if (!name.startsWith(`binnacle-${PRODUCT_VERSION}-`)) return [];
    const [, os, arch, extension] = /-(linux|darwin|win)-(x64|arm64)(\.exe)?$/.exec(name) ?? [];
    if (os === undefined) return [];
    const platform = goPlatform(
      os === 'win' ? 'win32' : (os as NodeJS.Platform),
      arch as NodeJS.Architecture,
    );
    const isOwn = platform.os === own.platform.os && platform.arch === own.platform.arch;
    return [
      {
        program: { executable: join(folder, name) },
        platform,
        extension: extension ?? '',
        kubectl: isOwn ? own.kubectl : undefined,
      },
    ];
  });
  if (found.length === 0)
    throw new ConfigurationError(
      `${folder} has no executable binnacle-${PRODUCT_VERSION}-OS-ARCH: npm run executables writes them into dist/executables`,
    );
  return found;
}
