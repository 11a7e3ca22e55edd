import type { KindSchemas } from '../admission/policy/type-checking/check-types.ts';
import type { CheckPolicyTypes } from '../controllers/policy-status.ts';
import { kindType } from '../model/scheme.ts';
import type { Registry } from '../registry/registry.ts';
import { runInBatches } from '../request/scheduling/event-loop.ts';

/** Characters of expressions that are checked before yielding to the event loop: about ten milliseconds. */
const CHARACTERS_PER_STEP = 8 * 1024;

/** Checks policies against the served kinds. The expression engine is loaded with the first policy. */
export function policyTypeCheck(registry: Registry): CheckPolicyTypes {
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
        const type = kindType(group, version, kind);
        if (type !== undefined) return schemas.messageTypeSchema(type);
        const row = resources.findKind(group, version, kind);
        const structure = row && registry.serve(row).schema.structure;
        return structure && schemas.customTypeSchema(structure.schema);
      },
    };
    return runInBatches(checkTypes(spec, kinds), CHARACTERS_PER_STEP);
  };
}
