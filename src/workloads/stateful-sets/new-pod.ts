import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { Pod, PodTemplateSpec, Volume } from '../../model/generated/core-v1.ts';
import { podFromTemplate } from '../../reconcile/pods/pod-control.ts';
import { STATEFUL_SETS } from '../../reconcile/resources.ts';
import {
  claimName,
  INDEX_LABEL,
  isMember,
  ordinalOf,
  POD_NAME_LABEL,
  podName,
  REVISION_LABEL,
} from './identity.ts';

/** A template with the name of the revision that records it. */
export interface TemplateRevision {
  readonly name: string;
  readonly template: PodTemplateSpec;
}

/** The Pod of an ordinal, as it is created. */
export function newPod(set: StatefulSet, { name, template }: TemplateRevision, ordinal: number): Pod {
  const pod = podFromTemplate({ resource: STATEFUL_SETS, object: set }, template);
  const { serviceName = '' } = set.spec ?? {};
  const labels = { ...pod.metadata?.labels, [REVISION_LABEL]: name };
  const named: Pod = { ...pod, metadata: { ...pod.metadata, name: podName(set, ordinal), labels } };
  const identified = withStorage(set, withIdentity(set, named));
  const { subdomain: _, ...spec } = identified.spec ?? {};
  return {
    ...identified,
    spec: {
      ...spec,
      hostname: podName(set, ordinal),
      ...(serviceName !== '' && { subdomain: serviceName }),
    },
  };
}

/** Whether a Pod has the name and the label of a member. */
export function hasIdentity(set: StatefulSet, pod: Pod): boolean {
  const { name = '', labels = {} } = pod.metadata ?? {};
  const ordinal = ordinalOf(pod);
  return (
    ordinal >= 0 &&
    isMember(set, pod) &&
    name === podName(set, ordinal) &&
    Object.hasOwn(labels, POD_NAME_LABEL) &&
    labels[POD_NAME_LABEL] === name
  );
}

/** A Pod with the name and the labels of its ordinal. */
export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const ordinal = ordinalOf(pod);
  const name = podName(set, ordinal);
  const labels = { ...pod.metadata?.labels, [POD_NAME_LABEL]: name, [INDEX_LABEL]: String(ordinal) };
  return { ...pod, metadata: { ...pod.metadata, name, labels } };
}

/** Whether a Pod uses the claims of its ordinal. */
export function hasStorage(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  const volumes = pod.spec?.volumes ?? [];
  return (
    ordinal >= 0 &&
    templatesOf(set).every((template) => {
      const volume = volumes.findLast(({ name }) => name === template.metadata?.name);
      return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
    })
  );
}

/** A Pod that uses the claims of its ordinal, instead of volumes of their names. */
export function withStorage(set: StatefulSet, pod: Pod): Pod {
  const templates = templatesOf(set);
  if (templates.length === 0) return pod;
  const names = new Set(templates.map(({ metadata }) => metadata?.name));
  const volumes: Volume[] = templates.map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinalOf(pod)) },
  }));
  const others = (pod.spec?.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, spec: { ...pod.spec, volumes: [...volumes, ...others] } };
}

const templatesOf = ({ spec }: StatefulSet) => spec?.volumeClaimTemplates ?? [];
