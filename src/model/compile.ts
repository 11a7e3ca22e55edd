import type { Field, ListType, MessageForm, MessageType, ScalarType, ValueType } from '../schema/message.ts';
import type { Declarations, FieldDeclaration, TypeDeclaration } from './declare.ts';

/** Resolves another message of the model by name; the name includes the family. */
export type Resolve = (name: string) => MessageType;

const scalars: ReadonlyMap<
  string,
  { readonly zeroJson: string; readonly value: { readonly scalar: ScalarType } }
> = new Map(
  Object.entries({ string: '""', boolean: 'false', int32: '0', int64: '0', double: '0', bytes: 'null' }).map(
    ([scalar, zeroJson]) => [scalar, { zeroJson, value: { scalar: scalar as ScalarType } }],
  ),
);

const zeroForms: Partial<Record<MessageForm, string>> = {
  duration: '"0s"',
  quantity: '"0"',
  intOrString: '0',
  schemaOrBool: 'false',
  groupVersion: '""',
};

/** The JSON of an unset message. */
function zeroJson(type: MessageType): string {
  if (type.form !== 'object') return zeroForms[type.form] ?? 'null';
  const present = type.jsonFields.filter(({ unsetJson }) => unsetJson !== undefined);
  return `{${present.map(({ name, unsetJson }) => `${JSON.stringify(name)}:${unsetJson}`).join(',')}}`;
}

/** `merge(key)` as name and keys. */
function call(text: string): { name: string; keys: string[] | undefined } {
  const match = /^([^(]+)(?:\((.*)\))?$/.exec(text)!;
  return { name: match[1]!, keys: match[2]?.split(',') };
}

/** What `required` stands for: three attributes, which releases change apart from each other. */
interface Requirements {
  /** OpenAPI documents list the field as required. */
  readonly isRequired: boolean;
  /** OpenAPI documents give the zero value as default. */
  readonly hasZeroDefault: boolean;
  /** JSON has the field although it is unset. */
  readonly isShown: boolean;
}

function requirements({ shape, pointer, type, flags }: FieldDeclaration): Requirements {
  const isRequired = flags.has('required');
  const isPlain = shape === 'single' && !pointer;
  const isScalar = scalars.has(type);
  return {
    isRequired,
    hasZeroDefault: isRequired && isPlain && isScalar && type !== 'bytes' && !flags.has('nodefault'),
    isShown:
      flags.has('shown') || (!pointer && (isRequired || (isPlain && !isScalar)) && !flags.has('omitted')),
  };
}

/** A field whose message and unset form are resolved on first use, because types are recursive. */
class CompiledField implements Field {
  readonly name: string;
  readonly number: number;
  readonly protobufName: string;
  readonly shape: 'single' | 'list' | 'map';
  readonly pointer: boolean;
  readonly writtenWhenUnset: boolean;
  readonly inline: boolean;
  readonly hiddenInJson: boolean;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly default: unknown;
  readonly itemsDefault: unknown;
  readonly enum: readonly string[] | undefined;
  readonly itemsEnum: readonly string[] | undefined;
  readonly listType: ListType | undefined;
  readonly listMapKeys: readonly string[] | undefined;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  readonly goType: string | undefined;
  readonly #declared: string;
  readonly #resolve: Resolve;
  readonly #alwaysInJson: boolean;
  #type: ValueType | undefined;
  #unsetJson: string | undefined;

  constructor(declaration: FieldDeclaration, resolve: Resolve, version: string) {
    const { name, number, shape, pointer, type, flags, options } = declaration;
    const scalar = scalars.get(type);
    const json = (key: string): unknown => (options.has(key) ? JSON.parse(options.get(key)!) : undefined);
    const values = (key: string): string[] | undefined => options.get(key)?.replaceAll('_', ' ').split('|');
    const list = options.has('list') ? call(options.get('list')!) : undefined;
    const patch = options.has('patch') ? call(options.get('patch')!) : undefined;
    const { isRequired, hasZeroDefault, isShown } = requirements(declaration);
    const plain = shape === 'single' && !pointer;
    this.name = name;
    this.number = number;
    this.protobufName = options.get('protobuf') ?? name;
    this.shape = shape;
    this.pointer = pointer;
    this.inline = flags.has('inline');
    this.hiddenInJson = flags.has('hidden');
    this.writtenWhenUnset =
      number > 0 && (flags.has('written') || (plain && type !== 'bytes' && !flags.has('skipped')));
    this.required = isRequired;
    this.nullable = flags.has('nullable');
    this.default = options.has('default')
      ? json('default')
      : hasZeroDefault
        ? JSON.parse(scalar!.zeroJson)
        : undefined;
    this.itemsDefault = json('itemsDefault');
    this.enum = values('enum');
    this.itemsEnum = values('itemsEnum');
    this.listType = list?.name as ListType | undefined;
    this.listMapKeys = list?.keys;
    this.mapType = options.get('map') as 'atomic' | 'granular' | undefined;
    this.patchStrategy = patch?.name;
    this.patchMergeKey =
      patch?.keys?.[0] ??
      (patch?.name.startsWith('merge') && list?.keys?.length === 1 ? list.keys[0] : undefined);
    const goType = options.get('go');
    this.goType = goType === undefined || goType.includes('.') ? goType : `${version}.${goType}`;
    this.#alwaysInJson = !this.inline && !this.hiddenInJson && isShown;
    this.#declared = type;
    this.#resolve = resolve;
    this.#type = scalar?.value;
  }

  get type(): ValueType {
    this.#type ??= { message: this.#resolve(this.#declared) };
    return this.#type;
  }

  get unsetJson(): string | undefined {
    if (!this.#alwaysInJson) return undefined;
    this.#unsetJson ??=
      this.shape !== 'single' || this.pointer
        ? 'null'
        : (scalars.get(this.#declared)?.zeroJson ?? zeroJson(this.type.message!));
    return this.#unsetJson;
  }
}

/** A message compiled from its declaration; inline members are resolved on first use. */
class CompiledMessage implements MessageType {
  readonly name: string;
  readonly shortName: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string | undefined;
  readonly protobuf: string | undefined;
  readonly openapi: string | undefined;
  readonly form: MessageForm;
  readonly typeMeta: boolean;
  readonly fields: readonly Field[];
  readonly items: ValueType | undefined;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly unions: readonly unknown[] | undefined;
  readonly #jsonOrder: readonly string[] | undefined;
  #jsonFields: readonly Field[] | undefined;
  #byName: ReadonlyMap<string, Field> | undefined;

  constructor(
    family: Declarations,
    { name, fields, jsonOrder, unions, flags, options }: TypeDeclaration,
    resolve: Resolve,
  ) {
    const items = options.get('items');
    const goPackage = family.family.slice(family.family.indexOf('_') + 1);
    this.name = `${family.family}.${name}`;
    this.shortName = name;
    this.group = family.group;
    this.version = family.version;
    this.kind = options.get('kind') ?? (flags.has('kind') ? name : undefined);
    this.protobuf =
      family.protobuf === undefined ||
      fields.some(({ number, flags }) => number === 0 && !flags.has('hidden'))
        ? undefined
        : `${family.protobuf}.${name}`;
    this.openapi =
      this.protobuf === undefined || family.unpublished || flags.has('unpublished')
        ? undefined
        : openapiName(this.protobuf);
    this.form = (options.get('form') as MessageForm | undefined) ?? 'object';
    this.typeMeta = this.kind !== undefined || flags.has('typeMeta');
    this.fields = fields.map((field) => new CompiledField(field, resolve, goPackage));
    this.items = items === undefined ? undefined : (scalars.get(items)?.value ?? { message: resolve(items) });
    this.mapType = options.get('map') as 'atomic' | 'granular' | undefined;
    this.unions = unions.length === 0 ? undefined : unions.map(openapiUnion);
    this.#jsonOrder = jsonOrder;
  }

  get jsonFields(): readonly Field[] {
    if (this.#jsonFields === undefined) {
      const byName = new Map(this.fields.map((field) => [field.name, field]));
      const ordered = this.#jsonOrder?.map((name) => byName.get(name)!) ?? this.fields;
      this.#jsonFields = ordered
        .filter((field) => !field.hiddenInJson)
        .flatMap((field) => (field.inline ? field.type.message!.jsonFields : [field]));
    }
    return this.#jsonFields;
  }

  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(this.jsonFields.map((field) => [field.name, field]));
    return this.#byName;
  }
}

/** The OpenAPI schema name of a protobuf message name, for example `io.k8s.api.core.v1.Pod`. */
function openapiName(protobuf: string): string {
  return protobuf
    .replace('k8s.io.', 'io.k8s.')
    .replace('apiextensions_apiserver', 'apiextensions-apiserver')
    .replace('kube_aggregator', 'kube-aggregator');
}

function openapiUnion({ discriminator, members }: TypeDeclaration['unions'][number]): unknown {
  const fields = { 'fields-to-discriminateBy': Object.fromEntries(members) };
  return discriminator === '-' ? fields : { discriminator, ...fields };
}

/** Compiles one declaration; the types it references are compiled on first use. */
export function compileType(
  family: Declarations,
  declaration: TypeDeclaration,
  resolve: Resolve,
): MessageType {
  return new CompiledMessage(family, declaration, resolve);
}
