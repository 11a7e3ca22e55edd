import type { Service } from '../../model/generated/core-v1.ts';
import type { IndexedSource, ObjectIndex } from '../../reader/object-source.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';
import { summaryOf } from '../../reconcile/pods/pod-summary.ts';
import { labelKey, selectedPods } from '../../reconcile/pods/selected-pods.ts';

/** Services by the first label that they select. */
const BY_FIRST_LABEL: ObjectIndex = (object) => {
  const { metadata = {}, spec = {} } = object.object as Service;
  const [label] = Object.entries(spec.selector ?? {});
  return label === undefined ? [] : [labelKey(metadata.namespace ?? '', label[0], label[1])];
};

/** The keys of the Services that select a Pod: those without selector select none. */
export function* servicesOf(services: IndexedSource, { namespace, labels }: PodSummary): Generator<string> {
  for (const [name, value] of Object.entries(labels))
    for (const [key, { object }] of services.find(BY_FIRST_LABEL, labelKey(namespace, name, value)))
      if (selects(object as Service, labels)) yield key;
}

const selects = ({ spec }: Service, labels: PodSummary['labels']): boolean =>
  Object.entries(spec?.selector ?? {}).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );

/** The Pods that a Service selects. */
export const podsOf = (pods: IndexedSource, { metadata, spec }: Service): PodSummary[] =>
  Array.from(selectedPods(pods, metadata?.namespace ?? '', { matchLabels: spec?.selector ?? {} }), summaryOf);

export const hasSelector = ({ spec }: Service): boolean => Object.keys(spec?.selector ?? {}).length > 0;

/** Whether the endpoints of a Service come from Pods: others get theirs from whoever writes them. */
export const selectsPods = (service: Service): boolean =>
  service.spec?.type !== 'ExternalName' && hasSelector(service);

/** Calls `changed` with the key of each Service whose endpoints the change of a Pod may concern. */
export function followPods(
  pods: IndexedSource,
  services: IndexedSource,
  changed: (service: string) => void,
): void {
  pods.onChange((_key, current, previous) => {
    const now = current && summaryOf(current);
    const before = previous && summaryOf(previous);
    const isSelectedAnew = now !== undefined && before !== undefined && !hasSameIdentity(before, now);
    const isChanged = now === undefined || before === undefined || !hasSameState(before, now);
    if (!isSelectedAnew && !isChanged) return;
    const present = now === undefined ? [] : [...servicesOf(services, now)];
    const former = now === undefined || isSelectedAnew ? [...servicesOf(services, before!)] : [];
    for (const key of new Set([...present, ...former]))
      if (isChanged || present.includes(key) !== former.includes(key)) changed(key);
  });
}

/** Whether a Pod is still selected by the same Services under the same name. */
const hasSameIdentity = (before: PodSummary, now: PodSummary): boolean =>
  before.hostname === now.hostname &&
  before.subdomain === now.subdomain &&
  isSameList(Object.entries(before.labels).flat(), Object.entries(now.labels).flat());

/** Whether nothing has changed that endpoints say of a Pod. */
const hasSameState = (before: PodSummary, now: PodSummary): boolean =>
  before.isTerminating === now.isTerminating &&
  before.isReady === now.isReady &&
  before.isFinished === now.isFinished &&
  isSameList(before.addresses, now.addresses);

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
