import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../model/generated/apiextensions-v1.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { CustomConversion, type VersionsOfKind } from './objects/custom-conversion.ts';
import { customStrategy } from './objects/custom-strategy.ts';
import { CustomVersion } from './objects/custom-version.ts';
import { CUSTOM_FORM } from './objects/object-json.ts';
import { type ObjectConverter, WebhookConversion } from './objects/webhook-conversion.ts';
import { customKindOf } from './openapi-schemas.ts';
import { tableOfColumns } from './printer-columns.ts';
import { customResourceRows } from './resource-rows.ts';
import { selectableFieldsOf } from './selectable-fields.ts';

/** Converts objects until it is closed. */
export interface ClosableConverter extends ObjectConverter {
  /** Another one takes over: conversions in progress finish. */
  retire(): void;
  /** Ends conversions in progress. */
  close(): void;
}

/** Creates the converter of a definition. @param webhook `spec.conversion.webhook` */
export type ConverterFactory = (
  definition: string,
  webhook: NonNullable<NonNullable<NonNullable<CustomResourceDefinition['spec']>['conversion']>['webhook']>,
) => ClosableConverter;

/** What the kinds of a server have in common. */
export interface KindOptions {
  /** Creates the converter of a definition by its webhook. */
  readonly createConverter: ConverterFactory;
  /** See {@link VersionsOfKind.keepsFloats}. Default: false. */
  readonly keepsFloats?: boolean;
}

/** A definition at one state: its versions are read from the stored definition when they are first used. */
export class DefinedKind implements VersionsOfKind {
  readonly group: string;
  readonly kind: string;
  readonly storageApiVersion: string;
  readonly keepsFloats: boolean;
  readonly #read: () => CustomResourceDefinition;
  readonly #converter: ClosableConverter | undefined;
  readonly #versions = new Map<string, CustomVersion | undefined>();

  /**
   * @param read decodes the definition; called again when another version is first used
   * @throws CorruptObjectError when `read` does
   */
  constructor(
    { metadata, spec, status }: CustomResourceDefinition,
    read: () => CustomResourceDefinition,
    { createConverter, keepsFloats = false }: KindOptions,
  ) {
    this.keepsFloats = keepsFloats;
    this.group = spec?.group ?? '';
    this.kind = status?.acceptedNames?.kind ?? spec?.names?.kind ?? '';
    const storage = spec?.versions?.find((version) => version.storage === true);
    this.storageApiVersion = `${this.group}/${storage?.name ?? ''}`;
    this.#read = read;
    const { strategy, webhook } = spec?.conversion ?? {};
    if (strategy === 'Webhook') this.#converter = createConverter(metadata?.name ?? '', webhook ?? {});
  }

  /** A newer state of the definition is served; requests in flight finish with this one. */
  retire(): void {
    this.#converter?.retire();
  }

  /** Ends conversions in progress. */
  close(): void {
    this.#converter?.close();
  }

  version(apiVersion: string): CustomVersion | undefined {
    if (this.#versions.has(apiVersion)) return this.#versions.get(apiVersion);
    const declared = this.#declared(apiVersion);
    const version = declared && new CustomVersion(declared, this, (other) => this.version(other)?.structure);
    // Names of versions that are not declared come from stored data: they are not remembered.
    if (version !== undefined) this.#versions.set(apiVersion, version);
    return version;
  }

  #declared(apiVersion: string): CustomResourceDefinitionVersion | undefined {
    const slash = apiVersion.indexOf('/');
    if (apiVersion.slice(0, slash) !== this.group) return undefined;
    const name = apiVersion.slice(slash + 1);
    return this.#read().spec?.versions?.find((version) => version.name === name);
  }

  /** The version with a schema that is read when it is asked for, and not kept. */
  #withLazySchema(
    version: CustomResourceDefinitionVersion,
    apiVersion: string,
  ): CustomResourceDefinitionVersion {
    const declared = (): CustomResourceDefinitionVersion | undefined => this.#declared(apiVersion);
    return {
      ...version,
      get schema() {
        return declared()?.schema;
      },
    };
  }

  /**
   * Returns the resources of the served versions.
   * @param generation distinguishes the states of the definition
   * @param watchableFrom revision since which the objects have this form
   */
  resources(
    definition: CustomResourceDefinition,
    generation: string,
    watchableFrom: number,
  ): ResourceDefinition[] {
    const versions = new Map(
      (definition.spec?.versions ?? []).map((version) => [version.name, withoutSchema(version)]),
    );
    return customResourceRows(definition).map((names) => {
      const apiVersion = `${names.group}/${names.version}`;
      const declared = versions.get(names.version)!;
      const row = { ...names, customKind: customKindOf(names, this.#withLazySchema(declared, apiVersion)) };
      const compiled = (): CustomVersion => this.version(apiVersion)!;
      return {
        row,
        generation,
        watchableFrom,
        strategy: customStrategy(declared, { apiVersion, kind: this.kind }, compiled),
        fieldSelectors: selectableFieldsOf(declared),
        table: tableOfColumns(declared.additionalPrinterColumns),
        storedForm: CUSTOM_FORM,
        get schema() {
          return compiled().schema;
        },
        conversion: (stored) =>
          this.#converter === undefined
            ? new CustomConversion(apiVersion, this, stored)
            : new WebhookConversion(apiVersion, this, stored, this.#converter),
      };
    });
  }
}

/** The schema is the large part of a definition; it is read again when it is used. */
const withoutSchema = (version: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion => ({
  ...version,
  schema: undefined,
});
