import { prettyJson } from '../../codec/pretty.ts';
import { type Life, type Minor, minorBefore } from '../../model/life.ts';
import type { Scheme } from '../../model/scheme.ts';
import type { Handler } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { requireAccepted, send } from '../response/answer.ts';
import { documentRoutes } from './path-table.ts';

export interface ReportedVersion {
  /** The implemented release. */
  readonly scheme: Scheme;
  /** The release that is emulated; default: the implemented one. */
  readonly emulated?: Minor;
  /** The oldest release that its objects are for; default: the one before the emulated release. */
  readonly minimumCompatibility?: Minor;
  /** The version of this product. */
  readonly product: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The version document names the emulated release. */
const SHOWS_EMULATION: Life = { since: '1.33' };

/** The members of the version document about the release that is emulated, if the release has them. */
export function emulationMembers(
  scheme: Scheme,
  emulated: Minor = scheme.minor,
  minimumCompatibility: Minor = minorBefore(emulated) ?? emulated,
): Readonly<Record<string, string>> {
  if (!scheme.has(SHOWS_EMULATION)) return {};
  const [emulationMajor, emulationMinor] = emulated.split('.') as [string, string];
  const [minCompatibilityMajor, minCompatibilityMinor] = minimumCompatibility.split('.') as [string, string];
  return { emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor };
}

/**
 * Serves `/version`. The product's name and version are the build metadata of gitVersion, which clients
 * ignore when they compare versions.
 */
export function versionPaths({
  scheme,
  emulated,
  minimumCompatibility,
  product,
}: ReportedVersion): (readonly [path: string, handler: Handler])[] {
  const { major, minor, gitVersion } = scheme.release;
  const json = JSON.stringify({
    major,
    minor,
    ...emulationMembers(scheme, emulated, minimumCompatibility),
    gitVersion: `${gitVersion}+binnacle-${product.replace(/[^0-9A-Za-z.-]/g, '-')}`,
    gitCommit: '',
    gitTreeState: 'clean',
    // A constant, so that two builds of one version return the same document.
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node ${process.version}`,
    compiler: 'node',
    platform: `${process.platform}/${ARCHITECTURES[process.arch] ?? process.arch}`,
  });
  const document = indentedJson(() => json);
  const handler: Handler = (context) => {
    if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    requireAccepted(context, 'application/json');
    return document(context);
  };
  return documentRoutes('/version', handler);
}

/** Serves `/`: every served path except this one, in byte order. */
export function rootPaths(paths: () => Iterable<string>): (readonly [path: string, handler: Handler])[] {
  const listed = () => [...new Set(paths())].filter((path) => path !== '/' && path !== '/index.html').sort();
  const index = indentedJson(() => JSON.stringify({ paths: listed() }));
  return [
    ['/', index],
    ['/index.html', index],
  ];
}

/** Returns indented JSON for every method and Accept header. */
function indentedJson(json: () => string): Handler {
  return (context) => send(context, 200, 'application/json', prettyJson(json()));
}
