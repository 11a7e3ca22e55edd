import { quote } from '../../../errors/quote.ts';
import type { KeyToPath, Volume } from '../../../model/generated/core-v1.ts';
import { trimEnd } from '../../../model/trim-end.ts';
import { isWholeText } from '../../validation/quantities.ts';

/**
 * Deprecated sources in the order of their warnings; `pathName` is set where the path differs from the
 * member.
 */
const DEPRECATED_SOURCES: readonly (readonly [source: keyof Volume, text: string, pathName?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', ''],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Returns the warnings about pod volumes. */
export function volumeWarnings(volumes: readonly Volume[] = [], field: string): string[] {
  const retired = volumes.flatMap((volume, index) =>
    DEPRECATED_SOURCES.flatMap(([source, text, pathName = source]) => {
      if (volume[source] === undefined) return [];
      return source === 'ephemeral'
        ? claimWarnings(volume, `${field}[${index}]`)
        : [`${field}[${index}].${pathName}: ${text}`];
    }),
  );
  return [...retired, ...volumes.flatMap(overlapWarnings)];
}

function claimWarnings({ ephemeral }: Volume, field: string): string[] {
  const spec = ephemeral?.volumeClaimTemplate?.spec;
  return spec === undefined ? [] : claimRequestWarnings(spec, `${field}.ephemeral.volumeClaimTemplate.spec`);
}

/** Warns about a claim template that requests a fractional number of bytes. */
export function claimRequestWarnings(
  { resources }: { resources?: { requests?: Readonly<Record<string, string>> } },
  field: string,
): string[] {
  const size = resources?.requests?.['storage'];
  return size === undefined || isWholeText(size)
    ? []
    : [
        `${field}.resources.requests[storage]: fractional byte value ${quote(size)} is invalid, must be an integer`,
      ];
}

/** Maximum number of files compared in one volume; warnings about more would not fit into a response. */
const MAXIMUM_COMPARED = 500;

interface FilePath {
  readonly path: string;
  readonly source: string;
}

const paths = (items: readonly KeyToPath[] = [], source = ''): FilePath[] =>
  items.slice(0, MAXIMUM_COMPARED).map(({ path = '' }) => ({ path: trimEnd(path, '/'), source }));
const overlaps = (a: FilePath, b: FilePath): boolean =>
  a.path === b.path || a.path.startsWith(`${b.path}/`) || b.path.startsWith(`${a.path}/`);

/** Warns about files of one volume with overlapping paths. */
function overlapWarnings({ name = '', configMap, secret, downwardAPI, projected }: Volume): string[] {
  const quoted = JSON.stringify(name);
  const within = (list: readonly FilePath[], sourceName: string): string[] =>
    list.flatMap((file, index) =>
      list
        .slice(0, index)
        .filter((other) => overlaps(other, file))
        .map(
          (other) =>
            `volume ${quoted} (${sourceName}): overlapping paths: ${quote(file.path)} with ${quote(other.path)}`,
        ),
    );
  return [
    ...(configMap ? within(paths(configMap.items), `ConfigMap ${quote(configMap.name ?? '')}`) : []),
    ...(secret ? within(paths(secret.items), `Secret ${quote(secret.secretName ?? '')}`) : []),
    ...(downwardAPI ? within(paths(downwardAPI.items as KeyToPath[] | undefined), 'DownwardAPI') : []),
    ...(projected ? projectedWarnings(projected, quoted) : []),
  ];
}

function projectedWarnings({ sources = [] }: NonNullable<Volume['projected']>, name: string): string[] {
  const warnings: string[] = [];
  const all: FilePath[] = [];
  let current: FilePath[] = [];
  for (const source of sources) {
    if (Object.values(source).every((part) => part === undefined)) {
      warnings.push(`volume ${name} (Projected) has no sources provided`);
      continue;
    }
    const { configMap, secret, downwardAPI, serviceAccountToken } = source;
    // A config map or secret without items has no known paths; kube-apiserver then compares the paths of the
    // previous source again.
    if (configMap?.items !== undefined)
      current = paths(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`);
    else if (secret?.items !== undefined) current = paths(secret.items, `Secret ${quote(secret.name ?? '')}`);
    else if (downwardAPI !== undefined)
      current = paths(downwardAPI.items as KeyToPath[] | undefined, 'DownwardAPI');
    else if (serviceAccountToken !== undefined)
      current = paths([{ path: serviceAccountToken.path ?? '' }], 'ServiceAccountToken');
    for (const file of current) {
      for (const other of all.filter((known) => overlaps(known, file)))
        warnings.push(
          `volume ${name} (Projected): overlapping paths: ${quote(file.path)} (${file.source}) with ${quote(other.path)} (${other.source})`,
        );
      if (all.length < MAXIMUM_COMPARED) all.push(file);
    }
  }
  return warnings;
}
