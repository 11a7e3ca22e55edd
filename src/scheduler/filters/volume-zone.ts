import type { PersistentVolume } from '../../model/generated/core-v1.ts';
import { storageClassOf } from '../../reconcile/volumes/annotations.ts';
import { type Labels, labelOf } from '../objects/label-matcher.ts';
import { claimNotFound } from '../volumes/claims.ts';
import { DOES_NOT_APPLY, impossible, type Rule } from './filter.ts';

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
/** Labels of volumes and nodes, with the label that replaced them. */
const TOPOLOGY: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', ZONE],
  ['failure-domain.beta.kubernetes.io/region', REGION],
  [ZONE, ZONE],
  [REGION, REGION],
]);
/** Separates the zones of one label value. */
const SEPARATOR = '__';

const OTHER_ZONE = impossible('VolumeZone', 'node(s) had no available volume zone');
const reject = (reason: string) => ({ rejection: impossible('VolumeZone', reason) });

interface VolumeTopology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** Volumes with labels of zones can only be used in these. Claims that wait for their pod are not looked at. */
export const volumeZone: Rule = ({ info: { namespace, claims } }, { volumes }) => {
  const topologies: VolumeTopology[] = [];
  for (const { name, isEphemeral } of claims) {
    if (isEphemeral) continue;
    const claim = volumes.claim(namespace, name);
    if (claim === undefined) return reject(claimNotFound(name));
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName === '') {
      const className = storageClassOf(claim);
      if (className === '') return reject('PersistentVolumeClaim had no pv name and storageClass name');
      const storageClass = volumes.storageClass(className);
      if (storageClass === undefined) return reject(`storageclass.storage.k8s.io "${className}" not found`);
      if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') continue;
      return reject('PersistentVolume had no name');
    }
    const volume = volumes.volume(volumeName);
    if (volume === undefined) return reject(`persistentvolume "${volumeName}" not found`);
    topologies.push(...topologiesOf(volume));
  }
  if (topologies.length === 0) return DOES_NOT_APPLY;
  return {
    check: {
      rule: 'VolumeZone',
      check: ({ labels }) => (isInAll(labels, topologies) ? undefined : OTHER_ZONE),
    },
  };
};

function* topologiesOf({ metadata }: PersistentVolume): Generator<VolumeTopology, void> {
  for (const key of TOPOLOGY.keys()) {
    const value = labelOf(metadata?.labels ?? {}, key);
    if (value === undefined) continue;
    const values = value.split(SEPARATOR).map((zone) => zone.trim());
    if (!values.includes('')) yield { key, values: new Set(values) };
  }
}

/** A node without any such label belongs to a cluster of one zone. */
function isInAll(labels: Labels, topologies: readonly VolumeTopology[]): boolean {
  if (![...TOPOLOGY.keys()].some((key) => labelOf(labels, key) !== undefined)) return true;
  return topologies.every(({ key, values }) => {
    const value = labelOf(labels, key) ?? labelOf(labels, TOPOLOGY.get(key)!);
    return value !== undefined && values.has(value);
  });
}
