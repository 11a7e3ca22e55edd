import type { ResourceRow } from '../kinds/resource-row.ts';
import type { FieldSelectors, Strategy } from '../kinds/strategy.ts';
import type { TableDefinition } from '../kinds/table.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { Steps } from '../steps/steps.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { StorageCodec } from './kind-codec.ts';
import type { ObjectSchema } from './object-schema.ts';
import type { StoredResource } from './stored-resource.ts';
import type { VersionConversion } from './version-conversion.ts';

/**
 * A resource of one group version as a value: everything that the server needs to serve it. Built-in resources
 * are made from their rows, custom resources at run time. Members may be made on first use.
 */
export interface ResourceDefinition {
  readonly row: ResourceRow;
  readonly schema: ObjectSchema;
  readonly strategy: Strategy;
  readonly fieldSelectors: FieldSelectors;
  readonly table: TableDefinition;
  /** How objects of the kind are stored; the definitions of one prefix agree on it. */
  storedForm(): StoredForm;
  /**
   * Distinguishes this definition from earlier ones of the same resource in names of cached encodings; empty
   * for built-in resources.
   */
  readonly generation: string;
  /** Revision since which objects are served in this form: watches cannot resume from an earlier one. */
  readonly watchableFrom: number;
  /**
   * Makes the members that take long, in steps, before they are first used; undefined when nothing is to be
   * made.
   */
  prepare?(turns: LoopTurns): Promise<void> | undefined;
  /** Creates the conversion between stored records and this version. */
  conversion(stored: StoredResource): VersionConversion;
}

/** How objects under one prefix are stored, in whatever version. */
export interface StoredForm {
  readonly codec: StorageCodec;
  /** Objects are expensive to decode, and each has several readers: the ones decoded last are kept. */
  readonly keepsRecent?: boolean;
  /** Decodes the metadata of a stored object. @throws DecodeError */
  metadata(value: Uint8Array): ObjectMeta;
  /**
   * Returns a function that reads a text of the storage version without decoding the object; absent or undefined
   * where the bytes do not allow that. The function throws DecodeError.
   */
  readonly textReader?: (path: readonly string[]) => ((value: Uint8Array) => string) | undefined;
  /** Converts bytes that another server has stored to the form in which this server writes the kind. */
  readonly writtenForm?: (value: Uint8Array) => Uint8Array;
  /** Finds in steps what `writtenForm` will return for a large value that this server is about to store. */
  readonly findingWrittenForm?: (value: Uint8Array) => Steps<void>;
}
