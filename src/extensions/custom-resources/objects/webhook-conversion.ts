import { PastStates } from '../../../cache/past-state.ts';
import type { CacheRecord, RecordReader } from '../../../cache/record.ts';
import { ResourceCache } from '../../../cache/resource-cache.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { StoredResource } from '../../../registry/stored-resource.ts';
import type { ConversionCaller, DerivedState } from '../../../registry/version-conversion.ts';
import { convertingStorage } from '../../conversion/converting-storage.ts';
import { CONVERTED, CustomConversion, type VersionsOfKind } from './custom-conversion.ts';
import {
  encodePlain,
  isLargeValue,
  type ObjectSteps,
  objectOf,
  type Plain,
  parseStored,
  plainOf,
} from './object-json.ts';

/** Converts plain objects to a version, in order; those of that version are returned as they are. */
export interface ObjectConverter {
  convert(
    objects: readonly Plain[],
    apiVersion: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Plain[]>;
}

/** Bytes of recent events of a converted version. */
const EVENT_BYTES = 1 << 20;

/**
 * The conversion of a custom kind by a webhook. Objects of the wanted version are not sent. Reads of one object
 * and writes convert anew; lists and watches read a cache of this version, which converts what changed.
 */
export class WebhookConversion extends CustomConversion {
  readonly derived: DerivedState;

  constructor(
    apiVersion: string,
    versions: VersionsOfKind,
    stored: StoredResource,
    private readonly converter: ObjectConverter,
  ) {
    super(apiVersion, versions, stored);
    const reader: RecordReader = { header: (record) => stored.reader.header(record) };
    const cache: ResourceCache = new ResourceCache({
      prefix: stored.prefix,
      reader,
      eventBytes: EVENT_BYTES,
      storage: convertingStorage({
        storage: stored.storage,
        convert: (values) => this.#convertValues(values),
        known(key, revision) {
          const record = cache.get(key);
          return record?.revision === revision ? record.value : undefined;
        },
      }),
    });
    this.derived = {
      cache,
      past: new PastStates(
        convertingStorage({
          storage: stored.storage,
          convert: (values) => this.#convertValues(values),
          known: () => undefined,
        }),
        reader,
      ),
    };
    this.#reader = reader;
  }

  readonly #reader: RecordReader;

  override load(
    record: CacheRecord,
    caller?: ConversionCaller,
  ): KubernetesObject | Promise<KubernetesObject> {
    return this.#readConverted(record, caller, (plain) => this.object(record, plain));
  }

  /** Makes a result from the plain tree of a record in the served version. */
  #readConverted<Result>(
    record: CacheRecord,
    caller: ConversionCaller | undefined,
    make: (plain: Plain) => Result,
  ): Result | Promise<Result> {
    const convert = (plain: Plain): Result | Promise<Result> =>
      plain.apiVersion === this.apiVersion ? make(plain) : this.#converted(plain, caller).then(make);
    return caller !== undefined && isLargeValue(record.value)
      ? this.inSteps(record, caller, this.readInSteps(record)).then(convert)
      : convert(this.read(record));
  }

  override store(object: KubernetesObject, caller: ConversionCaller): Uint8Array | Promise<Uint8Array> {
    const { storageApiVersion, kind } = this.versions;
    if (this.apiVersion === storageApiVersion) return super.store(object, caller);
    const plain = plainOf(object, { apiVersion: this.apiVersion, kind });
    delete (plain.metadata as Plain).resourceVersion;
    return this.converter.convert([plain], storageApiVersion, endingWith(caller)).then(([converted]) => {
      this.versions.version(storageApiVersion)!.structure.prune(converted, CONVERTED);
      return encodePlain(converted!, this.versions);
    });
  }

  /** Records of the version's own cache, and prepared ones, are in the served version. */
  override view(record: CacheRecord): CacheRecord {
    return record.reader === this.#reader || this.isUnchanged(record) ? record : super.view(record);
  }

  override *viewInSteps(record: CacheRecord): ObjectSteps<CacheRecord> {
    return record.reader === this.#reader ? record : yield* super.viewInSteps(record);
  }

  override prepare(record: CacheRecord, caller?: ConversionCaller): CacheRecord | Promise<CacheRecord> {
    if (this.isUnchanged(record)) return record;
    return this.#readConverted(record, caller, (plain) =>
      this.viewed(record, encodePlain(plain, this.versions)),
    );
  }

  override convert(
    object: KubernetesObject,
    from: string,
    to: string,
    caller?: ConversionCaller,
  ): KubernetesObject | Promise<KubernetesObject> {
    if (from === to) return object;
    const plain = plainOf(object, { apiVersion: from, kind: this.versions.kind });
    return this.converter
      .convert([plain], to, endingWith(caller))
      .then(([converted]) => objectOf(converted!));
  }

  async #converted(plain: Plain, caller: ConversionCaller | undefined): Promise<Plain> {
    const [converted] = await this.converter.convert([plain], this.apiVersion, endingWith(caller));
    this.version.structure.prune(converted, CONVERTED);
    return converted!;
  }

  async #convertValues(values: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const plain = values.map((value) => this.complete(parseStored(value)));
    const converted = await this.converter.convert(plain, this.apiVersion);
    return converted.map((one, index) => {
      if (one !== plain[index]) this.version.structure.prune(one, CONVERTED);
      return encodePlain(one, this.versions);
    });
  }
}

/** Options of a call that ends with the request. */
function endingWith(caller: ConversionCaller | undefined): { signal?: AbortSignal } {
  if (caller === undefined) return {};
  const controller = new AbortController();
  caller.exchange.onFinished(() => controller.abort());
  return { signal: controller.signal };
}
