import type { EncodingCache, Made } from '../cache/encoding-cache.ts';
import type { PastStates } from '../cache/past-state.ts';
import type { CacheRecord } from '../cache/record.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { envelopeMessage } from '../codec/envelope.ts';
import { spliceResourceVersion } from '../codec/protobuf-splice.ts';
import type { FieldSelectors, Strategy } from '../kinds/strategy.ts';
import type { TableDefinition } from '../kinds/table.ts';
import {
  apiVersionOf,
  type GroupVersionKind,
  type KubernetesObject,
  type ObjectMeta,
} from '../model/object.ts';
import type { TypeModel } from '../model/type-model.ts';
import type { Steps } from '../steps/steps.ts';
import { wrapDecodeSteps } from './corrupt-object.ts';
import { atRevision, documentBytes, type JsonDocument } from './kind-codec.ts';
import type { ObjectSchema } from './object-schema.ts';
import { formsOf, PreparedRecord } from './prepared-record.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { ResourceRow } from './resource-set.ts';
import type { StoredResource } from './stored-resource.ts';
import type { DefaultsOptions, VersionConversion } from './version-conversion.ts';

/** What the resources of a cluster share. */
export interface ServedResourceParts {
  readonly types: TypeModel;
  readonly encodingCache: EncodingCache;
}

/** The forms that are made of a record before it is shown. */
export interface PreparationNeeds {
  /** The object of the working version: for metadata, and for table rows of built-in kinds. */
  readonly working?: boolean;
  /** The object of the served version: for protobuf messages, and for table rows of custom kinds. */
  readonly served?: boolean;
  /** The JSON document. */
  readonly document?: boolean;
  /** Whether the document is cached for the next reader. */
  readonly keep: boolean;
}

/** How a selectable field is read. */
export interface FieldText {
  /** Names the field, the served version, and this definition of it. */
  readonly name: string;
  /** @throws CorruptObjectError */
  read(record: CacheRecord): string;
}

/** A resource in one served version, prepared for requests at start. */
export class ServedResource {
  readonly apiVersion: string;
  readonly kind: GroupVersionKind;
  /** Group and kind in validation errors: those of the storage version. */
  readonly storedKind: { readonly group: string; readonly kind: string };
  /** Names this version, and this definition of it, in the names of cached encodings. */
  readonly form: string;
  readonly #jsonForm: string;
  /** Encoding cache key of table rows. */
  readonly rowForm: string;
  readonly #typeMeta: { readonly apiVersion: string; readonly kind: string };

  readonly row: ResourceRow;
  /** Revision since which objects are served in this form: watches cannot resume from an earlier one. */
  readonly watchableFrom: number;
  readonly table: TableDefinition;
  /** Strategy of the served group: two groups may serve the same stored kind. */
  readonly strategy: Strategy;
  readonly conversion: VersionConversion;
  readonly #fieldSelectors: FieldSelectors;
  /** By the names that clients may select by. */
  readonly #fieldTexts = new Map<string, FieldText>();
  /** The types of the release. */
  readonly types: TypeModel;
  readonly #definition: ResourceDefinition;
  #schema: ObjectSchema | undefined;
  readonly #encodingCache: EncodingCache;

  constructor(
    definition: ResourceDefinition,
    readonly stored: StoredResource,
    { types, encodingCache }: ServedResourceParts,
  ) {
    this.types = types;
    this.#encodingCache = encodingCache;
    this.#definition = definition;
    const { row } = definition;
    this.row = row;
    this.table = definition.table;
    this.strategy = definition.strategy;
    this.#fieldSelectors = definition.fieldSelectors;
    this.conversion = definition.conversion(stored);
    this.apiVersion = apiVersionOf(row.group, row.version);
    this.kind = { group: row.group, version: row.version, kind: row.kind };
    this.storedKind = { group: row.storage?.group ?? row.group, kind: row.kind };
    this.watchableFrom = definition.watchableFrom;
    this.form = `${this.apiVersion}${definition.generation}`;
    this.#jsonForm = `json ${this.form}`;
    this.rowForm = `row ${this.form}`;
    this.#typeMeta = { apiVersion: this.apiVersion, kind: row.kind };
  }

  /** Schema of this version. It is compiled on its first use, which may take long for a custom kind. */
  get schema(): ObjectSchema {
    this.#schema ??= this.#definition.schema;
    return this.#schema;
  }

  /** Group and kind of an invalid object: plain objects are named by the kind that they were sent with. */
  kindInErrors({ kind }: KubernetesObject): { readonly group: string; readonly kind: string } {
    return this.schema.isUntyped ? { group: this.row.group, kind: kind ?? this.row.kind } : this.storedKind;
  }

  /** Cache that lists and watches read; writes and reads of one object use that of the stored resource. */
  get cache(): ResourceCache {
    return this.conversion.derived?.cache ?? this.stored.cache;
  }

  /** Past states that lists read. */
  get past(): PastStates {
    return this.conversion.derived?.past ?? this.stored.past;
  }

  /** Ends the watches of objects that only this version has. */
  close(): void {
    this.conversion.derived?.cache.close();
  }

  get namespaced(): boolean {
    return this.row.namespaced;
  }

  /** Namespace of the objects of a request: empty for cluster-scoped kinds, such as namespaces themselves. */
  namespaceOf(named: string): string {
    return this.row.namespaced ? named : '';
  }

  /** Applies the defaults of this version in place, then converts to the working version. */
  toWorking(object: KubernetesObject, options?: DefaultsOptions): KubernetesObject {
    this.conversion.setDefaults(object, options);
    return this.conversion.toWorking(object);
  }

  /** Returns the value of a selectable field of this version. @throws CorruptObjectError */
  fieldValue(record: CacheRecord, name: string): string {
    if (name === 'metadata.name') return record.name;
    if (name === 'metadata.namespace') return this.stored.namespaceOf(record.key);
    return this.fieldText(name).read(record);
  }

  /** Returns the reader of a selectable field besides name and namespace, and its name for indexes. */
  fieldText(field: string): FieldText {
    let text = this.#fieldTexts.get(field);
    if (text === undefined) {
      text = { name: `field ${this.form} ${field}`, read: this.#fieldReader(field) };
      this.#fieldTexts.set(field, text);
    }
    return text;
  }

  #fieldReader(field: string): FieldText['read'] {
    const { conversion, stored } = this;
    const read = this.#fieldSelectors[field];
    if (read === undefined) return () => '';
    const readStored = read.path && stored.textReader(read.path);
    if (readStored !== undefined) return (record) => readStored(conversion.view(record));
    return (record) =>
      record.text(`${this.form} ${field}`, () => read(stored.decode(conversion.view(record))));
  }

  /** Decodes the metadata of a record, without additions of a conversion. @throws CorruptObjectError */
  metadata(record: CacheRecord): ObjectMeta | undefined {
    return this.#working(record).metadata;
  }

  /** Whether work on a record takes long, unless it is prepared. */
  isLarge(record: CacheRecord): boolean {
    return this.stored.isDecodedInSteps(record);
  }

  /** Whether a form of the record is cached. */
  hasEncoding(record: CacheRecord, form: string): boolean {
    return this.#encodingCache.has(record, form);
  }

  /**
   * Makes forms of a large record in steps: the functions that show the record then take no time with the result.
   * Undefined where they do not take long anyway. @throws CorruptObjectError
   */
  prepare(record: CacheRecord, needs: PreparationNeeds): Steps<CacheRecord> | undefined {
    if (!this.isLarge(record)) return undefined;
    const isKnown = this.stored.isKnown(record);
    const document = needs.document && !this.#encodingCache.has(record, this.#jsonForm);
    const working = needs.working && !isKnown;
    const served = needs.served && !(isKnown && this.#showsShared);
    return document || working || served
      ? wrapDecodeSteps(record.key, record.value, this.#preparing(record, { ...needs, document }))
      : undefined;
  }

  *#preparing(record: CacheRecord, needs: PreparationNeeds): Steps<CacheRecord> {
    const { conversion, schema } = this;
    const viewing = conversion.viewing?.(record);
    const view = viewing === undefined ? conversion.view(record) : yield* viewing;
    const writes = needs.document && schema.spliceDocument === undefined;
    const served = needs.served || writes ? yield* this.#servedObject(view) : undefined;
    const working = needs.working
      ? ((this.#showsShared ? served : undefined) ?? (yield* this.#workingObject(view)))
      : undefined;
    const document = writes ? yield* this.#writing(record, served!, needs.keep) : undefined;
    return new PreparedRecord(record, view, { working, served, document });
  }

  *#workingObject(view: CacheRecord): Steps<KubernetesObject> {
    const object = yield* this.stored.decodingShared(view);
    yield;
    return object;
  }

  *#servedObject(view: CacheRecord): Steps<KubernetesObject> {
    if (this.#showsShared) return yield* this.#workingObject(view);
    const object = this.conversion.toServed(yield* this.stored.decoding(view));
    yield;
    return object;
  }

  *#writing(record: CacheRecord, object: KubernetesObject, keep: boolean): Steps<JsonDocument> {
    const revision = String(record.revision);
    const steps = this.schema.writingDocument?.(object, this.#typeMeta, revision);
    const value =
      steps === undefined ? this.schema.jsonDocument(object, this.#typeMeta, revision) : yield* steps;
    return this.#encodingCache.get(
      record,
      this.#jsonForm,
      () => ({ value, bytes: documentBytes(value) }),
      keep,
    );
  }

  /**
   * Decodes a record into this version. The object of a prepared record is shared.
   * @throws CorruptObjectError when the stored bytes are corrupt
   */
  object(record: CacheRecord): KubernetesObject {
    return (
      formsOf(record).served ?? this.conversion.toServed(this.stored.decode(this.conversion.view(record)))
    );
  }

  /** {@link object} as plain data: what a client gets by parsing its JSON. @throws CorruptObjectError */
  plainObject(record: CacheRecord): object {
    return this.#plain(record, this.object(record));
  }

  /** {@link plainObject} without `managedFields`, which are often half of it. @throws CorruptObjectError */
  plainUnmanagedObject(record: CacheRecord): object {
    const object = this.object(record);
    const { managedFields: _, ...metadata } = object.metadata ?? {};
    return this.#plain(record, { ...object, metadata });
  }

  #plain(record: CacheRecord, object: KubernetesObject): object {
    const metadata = { ...object.metadata, resourceVersion: String(record.revision) };
    return this.schema.toPlain({ ...object, metadata }, this.#typeMeta);
  }

  /**
   * Decodes a record into the version from which its table row is made: the served one for custom resources,
   * the working one for built-in kinds. @throws CorruptObjectError
   */
  rowObject(record: CacheRecord): KubernetesObject {
    return this.schema.isUntyped ? this.object(record) : this.#working(record);
  }

  /** An object of the working version that others may have too. */
  #working(record: CacheRecord): KubernetesObject {
    return formsOf(record).working ?? this.stored.decodeShared(this.conversion.view(record));
  }

  /** Decodes a typed object of this version from plain JSON. @throws DecodeError */
  decode(plain: unknown): { object: KubernetesObject; unknown: string[] } {
    const { value, unknown } = this.schema.fromPlain(plain);
    return { object: value, unknown };
  }

  /** Encodings show objects of the working version: those of this version differ in their apiVersion at most. */
  get #showsShared(): boolean {
    const { worksInServedVersion, differsInApiVersionOnly = false } = this.conversion;
    return worksInServedVersion || differsInApiVersionOnly;
  }

  /** {@link object} for encodings, which do not change it and set the apiVersion. */
  #shownObject(record: CacheRecord): KubernetesObject {
    return formsOf(record).served ?? (this.#showsShared ? this.#working(record) : this.object(record));
  }

  #document(record: CacheRecord, keep: boolean): JsonDocument {
    const make = () => {
      const value = formsOf(record).document ?? this.#newDocument(record);
      return { value, bytes: documentBytes(value) };
    };
    return this.#encodingCache.get<JsonDocument>(record, this.#jsonForm, make, keep);
  }

  #newDocument(record: CacheRecord): JsonDocument {
    const revision = String(record.revision);
    return this.schema.spliceDocument !== undefined
      ? this.schema.spliceDocument(this.conversion.view(record).value, revision)
      : this.schema.jsonDocument(this.#shownObject(record), this.#typeMeta, revision);
  }

  /**
   * Returns the JSON document of a record at `revision`, ending in a newline; cached for the record's own
   * revision.
   * @param keep false for an encoding that is unlikely to be requested again
   */
  json(record: CacheRecord, revision: number, keep = true): Uint8Array {
    const document = this.#document(record, keep);
    return revision === record.revision ? document.bytes : atRevision(document, String(revision));
  }

  /**
   * The JSON document of a record at `revision` with the fractions of whole floats, for CBOR; undefined where
   * {@link json} is the same.
   */
  exactDocument(record: CacheRecord, revision: number): JsonDocument | undefined {
    return this.schema.spliceExactDocument?.(this.conversion.view(record).value, String(revision));
  }

  /** Returns the JSON of a record without kind, apiVersion and opening brace: a list item. */
  jsonMembers(record: CacheRecord, keep: boolean): Uint8Array {
    const document = this.#document(record, keep);
    document.item ??= document.bytes.subarray(document.membersStart, document.bytes.length - 1);
    return document.item;
  }

  /** Whether the served protobuf message is the stored one plus the resource version. */
  get storesServedMessages(): boolean {
    return this.conversion.worksInServedVersion && this.row.storage!.encoding === 'protobuf';
  }

  /**
   * Encodes the protobuf message of a record without envelope, at `revision`; spliced from the stored bytes
   * where the version is the same.
   */
  protobuf(record: CacheRecord, revision: number): Uint8Array {
    if (this.storesServedMessages) {
      if (record.corruption !== undefined) throw record.corruption;
      const message = envelopeMessage(record.value);
      return revision === 0 ? message : spliceResourceVersion(message, String(revision));
    }
    const object = this.#shownObject(record);
    const resourceVersion = revision === 0 ? undefined : String(revision);
    return this.schema.protobuf!.encode({ ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  /** Returns a cached encoding of a record that the caller computes, such as table cells. */
  cachedEncoding<T>(record: CacheRecord, form: string, make: () => Made<T>): T {
    return this.#encodingCache.get(record, form, make);
  }

  /** The same for one that takes long to compute: all that ask for it meanwhile wait for it. */
  cachedEncodingLater<T>(record: CacheRecord, form: string, make: () => Promise<Made<T>>): Promise<T> {
    return this.#encodingCache.getLater(record, form, make);
  }

  /** Encodes an object without a record (dry runs, virtual kinds) as protobuf. */
  encodeProtobuf(object: KubernetesObject): Uint8Array {
    return this.schema.protobuf!.encode(object);
  }

  decodeProtobuf(raw: Uint8Array): KubernetesObject {
    return this.schema.protobuf!.decode(raw);
  }
}
