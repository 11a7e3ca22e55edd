import { prettyJson } from '../../codec/pretty.ts';
import type { Handler } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { requireAccepted, send } from '../response/answer.ts';
import { documentRoutes } from './path-table.ts';

export interface ReportedVersion {
  /** The implemented Kubernetes release, `v1.32.13`. */
  readonly kubernetes: string;
  readonly major: string;
  readonly minor: string;
  /** The version of this product. */
  readonly product: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * Serves `/version`. The product's name and version are the build metadata of gitVersion, which clients
 * ignore when they compare versions.
 */
export function versionPaths({
  kubernetes,
  major,
  minor,
  product,
}: ReportedVersion): (readonly [path: string, handler: Handler])[] {
  const json = JSON.stringify({
    major,
    minor,
    gitVersion: `${kubernetes}+binnacle-${product.replace(/[^0-9A-Za-z.-]/g, '-')}`,
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
