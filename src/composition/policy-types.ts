import type { KindSchemas } from '../admission/policy/type-checking/check-types.ts';
import type { CheckPolicyTypes } from '../controllers/policy-status.ts';
import type { Registry } from '../resources/resources.ts';
import { runInTurns } from '../steps/run.ts';
import type { LoopTurns } from '../steps/turns.ts';

/** Checks policies against the served kinds. The expression engine is loaded with the first policy. */
export function policyTypeCheck(registry: Registry, turns: LoopTurns): CheckPolicyTypes {
  return async ({ spec = {} }) => {
    const { checkTypes } = await import('../admission/policy/type-checking/check-types.ts');
    const schemas = await import('../admission/policy/type-checking/type-schemas.ts');
    const { resources } = registry;
    const kinds: KindSchemas = {
      kindsOf: ({ group, version, resource }) =>
        resources.resources.filter(
          (row) =>
            row.resource === resource && row.version === version && (group === '' || row.group === group),
        ),
      schemaOf({ group, version, kind }) {
        const type = registry.scheme.types.ofKind(group, version, kind);
        if (type !== undefined) return schemas.messageTypeSchema(type);
        const row = resources.findKind(group, version, kind);
        const structure = row && registry.serve(row).schema.structure;
        return structure && schemas.customTypeSchema(structure.schema);
      },
    };
    return runInTurns(turns, checkTypes(spec, kinds));
  };
}
