import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../model/generated/apiextensions-v1.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { ResourceDefinition } from '../../resources/resource-definition.ts';
import type { Structure } from '../../schema/structural/index.ts';
import { runInTurns, runNow } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import { CustomConversion, type VersionsOfKind } from './objects/custom-conversion.ts';
import { customStrategy } from './objects/custom-strategy.ts';
import { CustomVersion, compilingSchema } from './objects/custom-version.ts';
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
  /** Returns whether the release that the server implements has something with this life. */
  readonly has: RuleContext['has'];
  /** Creates the converter of a definition by its webhook. */
  readonly createConverter: ConverterFactory;
  /** See {@link VersionsOfKind.keepsFloats}. Default: false. */
  readonly keepsFloats?: boolean;
}

/** The stored definition. */
export interface DefinitionSource {
  /** Whether its schemas are compiled in steps, because they may be large. */
  readonly isLarge: boolean;
  /** Decodes the definition. @throws CorruptObjectError */
  read(): CustomResourceDefinition;
  /** {@link read} in steps of some milliseconds. */
  reading(): Steps<CustomResourceDefinition>;
}

/** A definition at one state: its versions are read from the stored definition when they are first used. */
export class DefinedKind implements VersionsOfKind {
  readonly group: string;
  readonly kind: string;
  readonly storageApiVersion: string;
  readonly keepsFloats: boolean;
  readonly #has: RuleContext['has'];
  readonly #source: DefinitionSource;
  readonly #converter: ClosableConverter | undefined;
  readonly #versions = new Map<string, CustomVersion | undefined>();
  /** Versions of a large definition that were or are being compiled in steps. */
  readonly #prepared = new Map<string, Promise<void> | undefined>();

  /**
   * @param source is read again when another version is first used
   * @throws CorruptObjectError when `source.read` does
   */
  constructor(
    { metadata, spec, status }: CustomResourceDefinition,
    source: DefinitionSource,
    { has, createConverter, keepsFloats = false }: KindOptions,
  ) {
    this.#has = has;
    this.keepsFloats = keepsFloats;
    this.group = spec?.group ?? '';
    this.kind = status?.acceptedNames?.kind ?? spec?.names?.kind ?? '';
    const storage = spec?.versions?.find((version) => version.storage === true);
    this.storageApiVersion = `${this.group}/${storage?.name ?? ''}`;
    this.#source = source;
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
    const version =
      declared &&
      new CustomVersion(declared, this, runNow(compilingSchema(declared, this.#has)), this.#structureIn);
    // Names of versions that are not declared come from stored data: they are not remembered.
    if (version !== undefined) this.#versions.set(apiVersion, version);
    return version;
  }

  readonly #structureIn = (apiVersion: string): Structure | undefined => this.version(apiVersion)?.structure;

  #declared(apiVersion: string): CustomResourceDefinitionVersion | undefined {
    const name = this.#nameOf(apiVersion);
    return name === undefined ? undefined : versionNamed(this.#source.read(), name);
  }

  #nameOf(apiVersion: string): string | undefined {
    const slash = apiVersion.indexOf('/');
    return apiVersion.slice(0, slash) === this.group ? apiVersion.slice(slash + 1) : undefined;
  }

  /**
   * Compiles a version and the storage version of a large definition in steps, before they are first used.
   * Undefined when nothing is to be compiled.
   */
  prepare(apiVersion: string, turns: LoopTurns): Promise<void> | undefined {
    if (!this.#source.isLarge) return undefined;
    if (this.#prepared.has(apiVersion)) return this.#prepared.get(apiVersion);
    const pending = this.#prepareBoth(apiVersion, turns).finally(() => {
      this.#prepared.set(apiVersion, undefined);
    });
    this.#prepared.set(apiVersion, pending);
    return pending;
  }

  async #prepareBoth(apiVersion: string, turns: LoopTurns): Promise<void> {
    await turns.pause();
    const definition = await runInTurns(turns, this.#source.reading());
    for (const one of new Set([apiVersion, this.storageApiVersion])) {
      const name = this.#nameOf(one);
      const declared = name === undefined ? undefined : versionNamed(definition, name);
      if (declared === undefined || this.#versions.has(one)) continue;
      const compiled = await runInTurns(turns, compilingSchema(declared, this.#has));
      if (!this.#versions.has(one))
        this.#versions.set(one, new CustomVersion(declared, this, compiled, this.#structureIn));
    }
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
    const declaredIn = (apiVersion: string) => versions.get(this.#nameOf(apiVersion) ?? '');
    return customResourceRows(definition, this.#has).map((names) => {
      const apiVersion = `${names.group}/${names.version}`;
      const declared = versions.get(names.version)!;
      const row = {
        ...names,
        customKind: customKindOf(names, this.#withLazySchema(declared, apiVersion), this.#has),
      };
      const compiled = (): CustomVersion => this.version(apiVersion)!;
      return {
        row,
        generation,
        watchableFrom,
        strategy: customStrategy(declared, { apiVersion, kind: this.kind }, compiled, this.#has, declaredIn),
        fieldSelectors: selectableFieldsOf(declared),
        table: tableOfColumns(declared.additionalPrinterColumns),
        storedForm: () => CUSTOM_FORM,
        get schema() {
          return compiled().schema;
        },
        prepare: (turns) => this.prepare(apiVersion, turns),
        conversion: (stored) =>
          this.#converter === undefined
            ? new CustomConversion(apiVersion, this, stored)
            : new WebhookConversion(apiVersion, this, stored, this.#converter),
      };
    });
  }
}

const versionNamed = (
  { spec }: CustomResourceDefinition,
  name: string,
): CustomResourceDefinitionVersion | undefined => spec?.versions?.find((version) => version.name === name);

/** The schema is the large part of a definition; it is read again when it is used. */
const withoutSchema = (version: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion => ({
  ...version,
  schema: undefined,
});
