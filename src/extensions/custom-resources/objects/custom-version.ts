import { compileRuleTree, type RuleTree } from '../../../cel/index.ts';
import { writingPlain } from '../../../codec/json-plain.ts';
import { toPlain } from '../../../codec/typed.ts';
import { formatRules } from '../../../kinds/apiextensions/formats.ts';
import { convertingSchema } from '../../../kinds/apiextensions/value-schema.ts';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  JSONSchemaProps,
} from '../../../model/generated/apiextensions-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type Structure, sharedStructure } from '../../../schema/structural/index.ts';
import { runInBackground } from '../../../steps/run.ts';
import type { MaybePromise, Steps } from '../../../steps/steps.ts';
import { CustomSchema } from './custom-schema.ts';

/** Compiles rules on its first call. */
type RulesSource = () => MaybePromise<RuleTree | undefined>;

const ANY_OBJECT: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** What a version needs of its kind. */
interface KindOfVersion {
  readonly group: string;
  readonly kind: string;
  readonly keepsFloats: boolean;
}

/** The schema of a version. */
interface CompiledSchema {
  /** Its JSON, with members in a fixed order. */
  readonly text: string;
  readonly structure: Structure;
}

/** Compiles the schema of a version. */
export function* compilingSchema(
  version: CustomResourceDefinitionVersion,
  has: RuleContext['has'],
): Steps<CompiledSchema> {
  const declared = schemaOf(version);
  const plain = plainSchema(declared);
  yield;
  const text = yield* writingPlain(plain);
  yield;
  const structure = yield* sharedStructure(`${formatRules(has)} ${text}`, () =>
    convertingSchema(declared, has),
  );
  return { text, structure };
}

const schemaOf = ({ schema }: CustomResourceDefinitionVersion): JSONSchemaProps =>
  schema?.openAPIV3Schema ?? ANY_OBJECT;

const plainSchema = (declared: JSONSchemaProps): unknown =>
  toPlain(internalTypes.type('apiextensions_v1.JSONSchemaProps'), declared);

/** One version of a definition, compiled as far as its objects were used. Immutable for callers. */
export class CustomVersion {
  readonly name: string;
  readonly scale: CustomResourceSubresourceScale | undefined;
  /** Whether `status` is a subresource. */
  readonly hasStatus: boolean;
  readonly schema: CustomSchema;
  readonly #rules: RulesSource;

  /** @param structureIn returns the structure of another version of the kind */
  constructor(
    { name = '', subresources }: CustomResourceDefinitionVersion,
    { group, kind, keepsFloats }: KindOfVersion,
    { text, structure }: CompiledSchema,
    structureIn: (apiVersion: string) => Structure | undefined,
  ) {
    this.name = name;
    this.scale = subresources?.scale;
    this.hasStatus = subresources?.status !== undefined;
    this.schema = new CustomSchema({
      structure,
      hasStatus: this.hasStatus,
      keepsFloats,
      typeMeta: { apiVersion: `${group}/${name}`, kind },
      structureIn,
    });
    this.#rules = text.includes('"x-kubernetes-validations"')
      ? sharedRules(text, this.schema.structure)
      : NO_RULES;
  }

  get structure(): Structure {
    return this.schema.structure;
  }

  /** The validation rules of the schema; undefined when it has none. Compiled on first use, in the background. */
  rules(): MaybePromise<RuleTree | undefined> {
    return this.#rules();
  }
}

/** Not made by a constructor, whose variables it would keep: the schema of the version. */
const NO_RULES = (): undefined => undefined;

/** Compiled rules by the structure of the same schema; both are shared by all versions with equal schemas. */
const compiledRules = new WeakMap<Structure, { readonly tree: MaybePromise<RuleTree | undefined> }>();

function sharedRules(schemaText: string, structure: Structure): RulesSource {
  let text: string | undefined = schemaText;
  return () => {
    const known = compiledRules.get(structure);
    if (known !== undefined) {
      if (!(known.tree instanceof Promise)) text = undefined;
      return known.tree;
    }
    const schema = JSON.parse(text!) as JSONSchemaProps;
    const pending = runInBackground(compileRuleTree(schema as never, true)).then(
      (tree) => {
        compiledRules.set(structure, { tree });
        text = undefined;
        return tree;
      },
      (error: unknown) => {
        compiledRules.delete(structure);
        throw error;
      },
    );
    compiledRules.set(structure, { tree: pending });
    return pending;
  };
}
