import type { KindSchemas } from '../admission/policy/type-checking/check-types.ts';
import type { CheckPolicyTypes } from '../controllers/policy-status.ts';
import type { Resources } from '../resources/resources.ts';
import { runInTurns } from '../steps/run.ts';
import type { LoopTurns } from '../steps/turns.ts';

/** Checks policies against the served kinds. The expression engine is loaded with the first policy. */
export function policyTypeCheck(resources: Resources, turns: LoopTurns): CheckPolicyTypes {
  return async ({ spec = {} }) => {
    const { checkTypes } = await import('../admission/policy/type-checking/check-types.ts');
    const schemas = await import('../admission/policy/type-checking/type-schemas.ts');
    const kinds: KindSchemas = {
      kindsOf: ({ group, version, resource }) =>
        resources.served.resources.filter(
          (row) =>
            row.resource === resource && row.version === version && (group === '' || row.group === group),
        ),
      schemaOf({ group, version, kind }) {
        const type = resources.scheme.types.ofKind(group, version, kind);
        if (type !== undefined) return schemas.messageTypeSchema(type);
        const row = resources.served.findKind(group, version, kind);
        const structure = row && resources.serve(row).schema.structure;
        return structure && schemas.customTypeSchema(structure.schema);
      },
    };
    return runInTurns(turns, checkTypes(spec, kinds));
  };
}
