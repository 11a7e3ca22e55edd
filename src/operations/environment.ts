import type { KubernetesObject } from '../model/object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { StrategyContext } from '../registry/strategy.ts';
import type { Admission } from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';
import type { KnownState } from './compare-and-swap.ts';
import type { WriterQueue } from './writer-queue.ts';

/** Who owns which fields (`metadata.managedFields`); the seam of server-side apply. */
export interface FieldOwnership {
  /** Records the owner of everything in a new object. */
  created(context: OperationContext, object: KubernetesObject): void | Promise<void>;
  /** Records the owner of what an update changed; `object` holds the entries the client sent. */
  updated(context: OperationContext, object: KubernetesObject, old: KubernetesObject): void | Promise<void>;
}

/** What every operation needs from outside; time and randomness are injected here. */
export interface OperationEnvironment {
  readonly admission: Admission;
  readonly ownership: FieldOwnership;
  /** Where writers of one key take turns. */
  readonly writers: WriterQueue<KnownState>;
  /** Wall clock in milliseconds. */
  now(): number;
  uid(): string;
  /** Five characters for a generated name. */
  nameSuffix(): string;
  /** Milliseconds a read waits for a revision that is not there yet. */
  readonly futureRevisionWait: number;
  /** Privileged containers may be created (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
  /**
   * Deletions may leave it to the garbage collector what becomes of dependents
   * (`--enable-garbage-collector`).
   */
  readonly garbageCollection: boolean;
  /** Whether a feature gate is on. */
  isOn(gate: string): boolean;
}

/** One operation on one resource: the request, the resource, and what the options say. */
export interface OperationContext {
  readonly environment: OperationEnvironment;
  readonly request: RequestContext;
  readonly resource: ServedResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** Who is to own the fields written; empty when unknown. */
  readonly fieldManager: string;
}

/** RFC 3339 with seconds. */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  // Many writes happen in the same second, and a date is slow to write.
  if (second !== lastSecond) {
    lastTime = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastTime;
}
let lastSecond = Number.NaN;
let lastTime = '';

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
    now: () => formatTime(environment.now()),
    warn: (text) => request.warnings.add(text),
  };
}

/** A name's last five characters: no vowels and no digits that look like letters. */
export function randomSuffix(random: () => number): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  let suffix = '';
  for (let index = 0; index < 5; index += 1) suffix += alphabet[Math.floor(random() * alphabet.length)];
  return suffix;
}
