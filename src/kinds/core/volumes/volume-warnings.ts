import { quote } from '../../../errors/quote.ts';
import type { Volume } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { checkEach, onceInTurns } from '../../../steps/replay.ts';
import { isWholeText } from '../../validation/quantities.ts';
import { findingOverlaps } from './overlapping-files.ts';

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
export function volumeWarnings(
  volumes: readonly Volume[] = [],
  field: string,
  context: RuleContext,
): string[] {
  return [
    ...checkEach(volumes, { place: 'sources' }, (volume, index) =>
      sourceWarnings(volume, `${field}[${index}]`, context),
    ),
    ...onceInTurns(volumes, { place: 'overlaps', cost: ({ length }) => length }, () =>
      findingOverlaps(volumes, context),
    ),
  ];
}

function sourceWarnings(volume: Volume, field: string, context: RuleContext): string[] {
  const warnings: string[] = [];
  for (const [source, text, pathName = source] of DEPRECATED_SOURCES) {
    if (volume[source] === undefined) continue;
    if (source === 'ephemeral') warnings.push(...claimWarnings(volume, field));
    else warnings.push(`${field}.${pathName}: ${text}${source === 'gitRepo' ? gitNote(context) : ''}`);
  }
  return warnings;
}

const DISABLES_GIT: Life = { since: '1.33' };

const gitNote = ({ has, isOn }: RuleContext): string =>
  has(DISABLES_GIT) && !isOn('GitRepoVolumeDriver') ? ', and disabled by default in v1.33+' : '';

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
