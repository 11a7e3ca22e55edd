import type { Container, Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import type { SourceObject } from '../../reader/object-source.ts';
import { isFinished, podCondition } from './pod-state.ts';

/** A port of a container that Services may refer to by its name. */
export interface NamedPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  /** The container is an init container that keeps running. */
  readonly isOfSidecar: boolean;
}

/** What Services need of a Pod: small, so that it stays at hand for thousands of Pods without the objects. */
export interface PodSummary {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Empty until it is bound. */
  readonly node: string;
  /** `status.podIPs`. */
  readonly addresses: readonly string[];
  /** The status names any address. */
  readonly hasAddress: boolean;
  readonly isReady: boolean;
  /** When its readiness has changed, in milliseconds since the epoch; undefined if it does not say. */
  readonly readinessChanged: number | undefined;
  readonly isTerminating: boolean;
  readonly isFinished: boolean;
  readonly hostname: string;
  readonly subdomain: string;
  readonly ports: readonly NamedPort[];
}

const summaries = new WeakMap<SourceObject, PodSummary>();

/** The summary of a Pod, made once for all who read it. @throws CorruptObjectError */
export function summaryOf(source: SourceObject): PodSummary {
  let summary = summaries.get(source);
  if (summary === undefined) {
    summary = summarize(source.peek() as Pod);
    summaries.set(source, summary);
  }
  return summary;
}

export function summarize(pod: Pod): PodSummary {
  const { metadata = {}, spec = {}, status = {} } = pod;
  const { namespace = '', name = '', uid = '', labels = {} } = metadata;
  const ready = podCondition(pod, 'Ready');
  const addresses = (status.podIPs ?? []).flatMap(({ ip }) => ip ?? []);
  return {
    namespace,
    name,
    uid,
    labels,
    node: spec.nodeName ?? '',
    addresses,
    hasAddress: addresses.length > 0 || (status.podIP ?? '') !== '',
    isReady: ready?.status === 'True',
    readinessChanged: ready?.lastTransitionTime ? timeToMilliseconds(ready.lastTransitionTime) : undefined,
    isTerminating: metadata.deletionTimestamp !== undefined,
    isFinished: isFinished(pod),
    hostname: spec.hostname ?? '',
    subdomain: spec.subdomain ?? '',
    ports: [
      ...namedPorts(spec.containers ?? [], false),
      ...namedPorts((spec.initContainers ?? []).filter(isSidecar), true),
    ],
  };
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

const namedPorts = (containers: readonly Container[], isOfSidecar: boolean): NamedPort[] =>
  containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ name = '', protocol = 'TCP', containerPort = 0 }) =>
      name === '' ? [] : [{ name, protocol, port: containerPort, isOfSidecar }],
    ),
  );
