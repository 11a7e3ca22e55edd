import type { KnownState } from '../cache/written-states.ts';
import type { StrategyContext } from '../kinds/strategy.ts';
import type { KubernetesObject } from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import type { Admission } from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { ClusterClock } from '../time/clock.ts';
import type { WriterQueue } from './writer-queue.ts';

/** Field ownership (`metadata.managedFields`), the interface to server-side apply. */
export interface FieldOwnership {
  /** Records the owner of all fields of a new object. */
  created(context: OperationContext, object: KubernetesObject): void | Promise<void>;
  /** Records the owner of the fields that an update changed; `object` has the entries of the client. */
  updated(context: OperationContext, object: KubernetesObject, old: KubernetesObject): void | Promise<void>;
}

/** Dependencies of all operations, including time and randomness. */
export interface OperationEnvironment {
  readonly admission: Admission;
  readonly ownership: FieldOwnership;
  /** Serializes the writers of one key. */
  readonly writers: WriterQueue<KnownState>;
  /** The cluster's time in milliseconds. */
  readonly now: ClusterClock['now'];
  uid(): string;
  /** Returns five characters for a generated name. */
  nameSuffix(): string;
  /** How long a read waits for a future revision, in milliseconds. */
  readonly futureRevisionWait: number;
  /** Whether privileged containers may be created (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
  /** Whether a deletion may leave its dependents to the garbage collector (`--enable-garbage-collector`). */
  readonly garbageCollection: boolean;
  /** Counts fields that a stored object had and that a write dropped, because this server does not know them. */
  droppedFields?: (resource: ServedResource, count: number) => void;
  /** Whether a feature gate is on. */
  isOn(gate: string): boolean;
}

/** One operation on one resource: the request, the resource and the options. */
export interface OperationContext {
  readonly environment: OperationEnvironment;
  readonly request: RequestContext;
  readonly resource: ServedResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** The field manager of the write; empty if unknown. */
  readonly fieldManager: string;
}

export function strategyContext({
  environment,
  request,
  resource,
  subresource,
  namespace,
  dryRun,
}: OperationContext): StrategyContext {
  const { row } = resource;
  return {
    user: request.user,
    group: row.group,
    version: row.version,
    resource: row.resource,
    subresource,
    namespace,
    dryRun,
    allowPrivileged: environment.allowPrivileged,
    isOn: environment.isOn,
    has: request.scheme.has,
    now: () => formatTime(environment.now()),
    warn: (text) => request.warnings.add(text),
  };
}

/** Returns a five-character suffix without vowels and digits that resemble letters. */
export function randomSuffix(random: () => number): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  let suffix = '';
  for (let index = 0; index < 5; index += 1) suffix += alphabet[Math.floor(random() * alphabet.length)];
  return suffix;
}
