import { builtinResourcesOf } from '../../kinds/builtin-resources.ts';
import type { GateSpecification } from '../../model/feature-gates.ts';
import { apiVersionOf } from '../../model/object.ts';
import type { Scheme } from '../../model/scheme.ts';

/** What is declared to be part of a release. */
export interface ReleaseContent {
  /** For example `apps/v1 Deployment`. */
  readonly kinds: ReadonlySet<string>;
  readonly gates: ReadonlyMap<string, GateSpecification>;
  /** For example `core_v1.PodSpec`. */
  readonly types: ReadonlySet<string>;
  /** For example `core_v1.PodSpec.hostname`. */
  readonly fields: ReadonlySet<string>;
}

export function contentOf(scheme: Scheme): ReleaseContent {
  const types = scheme.types.all();
  return {
    kinds: new Set(
      builtinResourcesOf(scheme).rows.map(
        ({ group, version, kind }) => `${apiVersionOf(group, version)} ${kind}`,
      ),
    ),
    gates: scheme.gates,
    types: new Set(types.map(({ name }) => name)),
    fields: new Set(types.flatMap(({ name, fields }) => fields.map((field) => `${name}.${field.name}`))),
  };
}

/** What a release adds to the one before it, and what is gone. All lists are sorted. */
export interface ReleaseDifference {
  readonly kinds: Change;
  readonly gates: Change & {
    /** Gates of both releases that are on by default in the later one only. */
    readonly enabled: readonly string[];
    readonly disabled: readonly string[];
  };
  readonly types: Change;
  /** Fields of types that both releases have. */
  readonly fields: Change;
}

interface Change {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function differenceOf(before: ReleaseContent, after: ReleaseContent): ReleaseDifference {
  const types = change(before.types, after.types);
  const isOfBoth = (field: string): boolean => {
    const type = field.slice(0, field.lastIndexOf('.'));
    return before.types.has(type) && after.types.has(type);
  };
  const fields = change(before.fields, after.fields);
  const turned = (isOn: boolean): string[] =>
    [...after.gates.keys()]
      .filter(
        (gate) =>
          before.gates.has(gate) &&
          before.gates.get(gate)!.enabled !== isOn &&
          after.gates.get(gate)!.enabled === isOn,
      )
      .sort();
  return {
    kinds: change(before.kinds, after.kinds),
    gates: {
      ...change(new Set(before.gates.keys()), new Set(after.gates.keys())),
      enabled: turned(true),
      disabled: turned(false),
    },
    types,
    fields: { added: fields.added.filter(isOfBoth), removed: fields.removed.filter(isOfBoth) },
  };
}

const change = (before: ReadonlySet<string>, after: ReadonlySet<string>): Change => ({
  added: [...after].filter((name) => !before.has(name)).sort(),
  removed: [...before].filter((name) => !after.has(name)).sort(),
});
