import { getMember, type KubernetesObject, setMember } from '../../model/object.ts';
import type { Conversion } from '../strategy.ts';

/** Fields with different names in core v1 and events.k8s.io/v1. */
const RENAMED: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];
const TO_CORE: ReadonlyMap<string, string> = new Map(RENAMED.map(([core, events]) => [events, core]));
const FROM_CORE: ReadonlyMap<string, string> = new Map(RENAMED);

function rename(
  object: KubernetesObject,
  names: ReadonlyMap<string, string>,
  apiVersion: string,
): KubernetesObject {
  const renamed: KubernetesObject = {};
  for (const member of Object.keys(object))
    setMember(renamed, names.get(member) ?? member, getMember(object, member));
  renamed.apiVersion = apiVersion;
  return renamed;
}

export const eventConversion: Conversion = {
  toStorage: (object) => rename(object, TO_CORE, 'v1'),
  fromStorage: (object) => rename(object, FROM_CORE, 'events.k8s.io/v1'),
};
