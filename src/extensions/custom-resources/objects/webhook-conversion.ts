import { PastStates } from '../../../cache/past-state.ts';
import type { CacheRecord, RecordReader } from '../../../cache/record.ts';
import { ResourceCache } from '../../../cache/resource-cache.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { StoredResource } from '../../../resources/stored-resource.ts';
import type { ConversionCaller, DerivedState } from '../../../resources/version-conversion.ts';
import { Pace } from '../../../steps/pace.ts';
import { runInBackground, runInTurns, runNow } from '../../../steps/run.ts';
import { stepSizes } from '../../../steps/sizes.ts';
import type { Steps } from '../../../steps/steps.ts';
import { yieldToEventLoop } from '../../../time/event-loop.ts';
import { convertingStorage } from '../../conversion/converting-storage.ts';
import { CONVERTED, CustomConversion, type VersionsOfKind } from './custom-conversion.ts';
import { encodePlain, isLargeValue, objectOf, type Plain, parsingStored, plainOf } from './object-json.ts';
import { encodingPlain, hasLargeOwnership, makingPlain } from './object-steps.ts';

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
    make: (plain: Plain) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const convert = (plain: Plain): Result | Promise<Result> =>
      plain.apiVersion === this.apiVersion ? make(plain) : this.#converted(plain, caller).then(make);
    return caller !== undefined && isLargeValue(record.value)
      ? this.inSteps(record, caller, this.reading(record)).then(convert)
      : convert(this.read(record));
  }

  override store(object: KubernetesObject, caller: ConversionCaller): Uint8Array | Promise<Uint8Array> {
    const { storageApiVersion, kind } = this.versions;
    if (this.apiVersion === storageApiVersion) return super.store(object, caller);
    const typeMeta = { apiVersion: this.apiVersion, kind };
    if (this.version.structure.isSmall(object) && !hasLargeOwnership(object))
      return this.#store(plainOf(object, typeMeta), caller);
    return runInTurns(caller.turns, makingPlain(object, typeMeta)).then((plain) =>
      this.#store(plain, caller),
    );
  }

  /** Converts a plain tree to the storage version and encodes it. */
  async #store(plain: Plain, caller: ConversionCaller): Promise<Uint8Array> {
    const { storageApiVersion } = this.versions;
    delete (plain.metadata as Plain).resourceVersion;
    const [converted] = await this.converter.convert([plain], storageApiVersion, endingWith(caller));
    runNow(this.versions.version(storageApiVersion)!.structure.prune(converted, CONVERTED));
    return runInTurns(caller.turns, encodingPlain(converted!, this.versions));
  }

  /** Records of the version's own cache, and prepared ones, are in the served version. */
  override view(record: CacheRecord): CacheRecord {
    return record.reader === this.#reader || this.isUnchanged(record) ? record : super.view(record);
  }

  override viewing(record: CacheRecord): Steps<CacheRecord> | undefined {
    return record.reader === this.#reader ? undefined : super.viewing(record);
  }

  override prepare(record: CacheRecord, caller?: ConversionCaller): CacheRecord | Promise<CacheRecord> {
    if (this.isUnchanged(record)) return record;
    return this.#readConverted(record, caller, (plain) =>
      caller !== undefined && isLargeValue(record.value)
        ? this.inSteps(record, caller, encodingPlain(plain, this.versions)).then((value) =>
            this.viewed(record, value),
          )
        : this.viewed(record, encodePlain(plain, this.versions)),
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
    runNow(this.version.structure.prune(converted, CONVERTED));
    return converted!;
  }

  async #convertValues(values: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const pace = new Pace(stepSizes.bytes);
    const plain: Plain[] = [];
    for (const value of values) {
      plain.push(await runInBackground(this.#readValue(value)));
      if (pace.isPause(value.length)) await yieldToEventLoop();
    }
    const converted = await this.converter.convert(plain, this.apiVersion);
    const encoded: Uint8Array[] = [];
    for (const [index, one] of converted.entries()) {
      if (one !== plain[index]) runNow(this.version.structure.prune(one, CONVERTED));
      const value = await runInBackground(encodingPlain(one, this.versions));
      encoded.push(value);
      if (pace.isPause(value.length)) await yieldToEventLoop();
    }
    return encoded;
  }

  *#readValue(value: Uint8Array): Steps<Plain> {
    return yield* this.complete(yield* parsingStored(value));
  }
}

/** Options of a call that ends with the request. */
function endingWith(caller: ConversionCaller | undefined): { signal?: AbortSignal } {
  if (caller === undefined) return {};
  const controller = new AbortController();
  caller.exchange.onFinished(() => controller.abort());
  return { signal: controller.signal };
}
