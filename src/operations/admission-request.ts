import { mergeWithoutOwners, ShapeError } from '../apply/index.ts';
import { DecodeError } from '../codec/decode-error.ts';
import { writingPlain } from '../codec/json-plain.ts';
import { quote } from '../errors/quote.ts';
import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '../model/object.ts';
import type { Span } from '../observability/span.ts';
import {
  AdmissionMemory,
  type AdmissionOperation,
  type AdmissionRequest,
  type AdmissionRounds,
  type AnnotationLevel,
  type VersionedObject,
  type VersionedObjects,
} from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';
import type { UserInfo } from '../request/user.ts';
import type { ObjectSchema, TypeMeta } from '../resources/object-schema.ts';
import { isLarge, pauseIfLarge, runIfLarge } from '../steps/run.ts';
import { type MaybePromise, type Steps, waitFor } from '../steps/steps.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { AdmittedKind } from './admitted-kind.ts';

export interface AdmissionRequestOptions {
  readonly request: RequestContext;
  readonly admitted: AdmittedKind;
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly object: KubernetesObject | undefined;
  readonly oldObject: KubernetesObject | undefined;
  readonly options: KubernetesObject | undefined;
}

/** One admission of an object: both phases, all rounds. */
export class AdmissionAttempt implements AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly user: UserInfo;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  name: string;
  readonly dryRun: boolean;
  options: KubernetesObject | undefined;
  readonly rounds: AdmissionRounds = { round: 0, needsSecond: false };
  readonly #request: RequestContext;
  readonly #admitted: AdmittedKind;
  #object: KubernetesObject | undefined;
  #oldObject: KubernetesObject | undefined;
  /** The present object by version; empty after each change. */
  #versions: Map<string, MaybePromise<VersionedObjects>> | undefined;
  #timesAreCut = false;
  /** The old object by version. */
  #oldVersions: Map<string, VersionedObject> | undefined;

  constructor(given: AdmissionRequestOptions) {
    this.#request = given.request;
    this.#admitted = given.admitted;
    this.#object = given.object;
    this.operation = given.operation;
    this.user = given.request.user;
    this.kind = given.admitted.kind;
    this.resource = given.resource;
    this.subresource = given.subresource;
    this.namespace = given.namespace;
    this.name = given.name;
    this.#oldObject = given.oldObject;
    this.dryRun = given.dryRun;
    this.options = given.options;
  }

  get object(): KubernetesObject | undefined {
    return this.#object;
  }

  set object(object: KubernetesObject | undefined) {
    this.#object = object;
    this.#versions = undefined;
  }

  get oldObject(): KubernetesObject | undefined {
    return this.#oldObject;
  }

  set oldObject(object: KubernetesObject | undefined) {
    this.#oldObject = object;
    this.#oldVersions = undefined;
    this.#versions = undefined;
  }

  get deadline(): number {
    return this.#request.deadline;
  }

  get span(): Span | undefined {
    return this.#request.span;
  }

  get signal(): AbortSignal {
    return this.#request.exchange.signal;
  }

  get turns(): LoopTurns {
    return this.#request.turns;
  }

  get isOwnWrite(): boolean {
    return this.#request.isOwnWrite === true;
  }

  get memory(): AdmissionMemory {
    return memoryOf(this.#request);
  }

  inVersion(apiVersion: string): MaybePromise<VersionedObjects> {
    let found = this.#versions?.get(apiVersion);
    if (found === undefined) {
      found = this.#convert(apiVersion);
      this.#versions ??= new Map();
      this.#versions.set(apiVersion, found);
    }
    return found;
  }

  #convert(apiVersion: string): MaybePromise<VersionedObjects> {
    const schema = this.#schemaIn(apiVersion);
    const { kind } = this.#admitted.kind;
    const versioned = (object: KubernetesObject) =>
      new ConvertedObject(object, schema, { apiVersion, kind }, this.#request);
    const made = this.#object && this.#admitted.toVersion(this.#object, apiVersion);
    const knownOld = this.#oldVersions?.get(apiVersion);
    const old =
      knownOld === undefined
        ? this.oldObject && this.#admitted.toVersion(this.oldObject, apiVersion)
        : undefined;
    const finish = (object?: KubernetesObject, oldObject?: KubernetesObject): VersionedObjects => {
      const result = {
        object: object && versioned(object),
        oldObject: knownOld ?? (oldObject && versioned(oldObject)),
      };
      if (result.oldObject !== undefined) {
        this.#oldVersions ??= new Map();
        this.#oldVersions.set(apiVersion, result.oldObject);
      }
      return result;
    };
    if (made instanceof Promise || old instanceof Promise)
      return Promise.all([made, old]).then(([object, oldObject]) => finish(object, oldObject));
    return finish(made, old);
  }

  replace(apiVersion: string, plain: unknown, strict = false): MaybePromise<boolean> {
    return runIfLarge(this.#request, this.#replace(apiVersion, plain, strict));
  }

  *#replace(apiVersion: string, plain: unknown, strict: boolean): Steps<boolean> {
    const schema = this.#schemaIn(apiVersion);
    yield;
    const { value, unknown } = schema.fromPlain(plain, { dropsMetadata: true });
    if (strict && !schema.isUntyped && unknown.length > 0)
      throw new DecodeError(
        `strict decoding error: ${unknown.map((path) => `unknown field ${quote(path)}`).join(', ')}`,
      );
    yield;
    const text = yield* schema.isUntyped === true
      ? writingPlain(plain)
      : writingJson(schema, value, { apiVersion, kind: this.kind.kind });
    yield;
    const before = yield* waitFor(this.inVersion(apiVersion));
    yield* waitFor(before.object?.encode?.());
    const isChanged = before.object?.json() !== text || (yield* this.#cutsTimes(before, schema));
    this.#timesAreCut = true;
    yield;
    this.object = yield* waitFor(this.#admitted.fromVersion(value, apiVersion));
    return isChanged;
  }

  /**
   * Whether kube-apiserver sees a change although the JSON is the same: the time of the request's manager has a
   * fraction of a second in memory, which the first replacement cuts off.
   */
  *#cutsTimes({ object, oldObject }: VersionedObjects, schema: ObjectSchema): Steps<boolean> {
    if (
      this.#timesAreCut ||
      schema.isUntyped === true ||
      (object?.object.metadata?.managedFields ?? []).length === 0
    )
      return false;
    if (oldObject === undefined) return true;
    const content = yield* this.#ownedContent(object!);
    return content !== (yield* this.#ownedContent(oldObject));
  }

  /** The JSON of what managers own of an object, and of their entries. */
  *#ownedContent(versioned: VersionedObject): Steps<string> {
    yield;
    const { metadata, status, ...rest } = versioned.plain() as KubernetesObject;
    const { uid, resourceVersion, generation, creationTimestamp, selfLink, ...owned } = metadata ?? {};
    const content = { ...rest, metadata: owned, ...(this.subresource === '' ? {} : { status }) };
    yield;
    return yield* writingPlain(content);
  }

  async merge(apiVersion: string, configuration: object): Promise<object> {
    const { shape } = this.#schemaIn(apiVersion);
    const applied = { ...configuration, apiVersion, kind: this.kind.kind };
    const { object } = await this.inVersion(apiVersion);
    try {
      return await runIfLarge(this.#request, mergeWithoutOwners(shape, object?.plain() ?? {}, applied));
    } catch (error) {
      if (error instanceof ShapeError) throw new DecodeError(error.message);
      throw error;
    }
  }

  objectChanged(): void {
    this.#versions = undefined;
  }

  warn(message: string): void {
    this.#request.warnings.add(message);
  }

  annotate(key: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    const { annotations, audit } = this.#request;
    if (level === 'Request' && audit?.recordsRequestBody !== true) return;
    if (!annotations.has(key)) annotations.set(key, value);
  }

  #schemaIn(apiVersion: string): ObjectSchema {
    const schema = this.#admitted.schemaIn(apiVersion);
    if (schema !== undefined) return schema;
    throw new Error(`no kind ${quote(this.kind.kind)} is registered for version ${quote(apiVersion)}`);
  }
}

function* writingJson(schema: ObjectSchema, object: KubernetesObject, typeMeta: TypeMeta): Steps<string> {
  return schema.writingJson === undefined
    ? schema.writeJson(object, typeMeta)
    : yield* schema.writingJson(object, typeMeta);
}

/** An object with its plain tree and JSON text, each made once. */
class ConvertedObject implements VersionedObject {
  #plain: object | undefined;
  #json: string | undefined;
  #encoding: Promise<void> | undefined;

  constructor(
    readonly object: KubernetesObject,
    private readonly schema: ObjectSchema,
    private readonly typeMeta: TypeMeta,
    private readonly request: RequestContext,
  ) {}

  plain(): object {
    this.#plain ??= this.schema.toPlain(this.object, this.typeMeta);
    return this.#plain;
  }

  json(): string {
    this.#json ??= this.schema.writeJson(this.object, this.typeMeta);
    return this.#json;
  }

  encode(): Promise<void> | undefined {
    if (this.#json !== undefined || !isLarge(this.request)) return undefined;
    this.#encoding ??= this.#encode();
    return this.#encoding;
  }

  async #encode(): Promise<void> {
    const { object, schema, typeMeta, request } = this;
    await pauseIfLarge(request);
    this.#json = await runIfLarge(request, writingJson(schema, object, typeMeta));
    await pauseIfLarge(request);
  }
}

const memories = new WeakMap<RequestContext, AdmissionMemory>();

function memoryOf(request: RequestContext): AdmissionMemory {
  let memory = memories.get(request);
  if (memory === undefined) {
    memory = new AdmissionMemory();
    memories.set(request, memory);
  }
  return memory;
}

/** The resource of a row or request. */
export const resourceOf = ({ group, version, resource }: GroupVersionResource): GroupVersionResource => ({
  group,
  version,
  resource,
});
