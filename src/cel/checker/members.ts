import { DYN, ERROR, INT, type Type, typeName } from '../types.ts';

/**
 * The type of a member, or the problem and the type to continue with, chosen so that no follow-up errors are
 * reported.
 */
export type MemberSelection =
  | { readonly type: Type }
  | { readonly problem: string; readonly continueAs: Type };

/** Selects a member of a type; a member of a type variable is dyn. */
export function selectMember(type: Type, field: string): MemberSelection {
  switch (type.kind) {
    case 'map':
      return { type: type.value };
    case 'object': {
      const declared = type.field(field);
      return declared === undefined
        ? { problem: `undefined field '${field}'`, continueAs: ERROR }
        : { type: declared.type };
    }
    case 'dyn':
    case 'any':
    case 'error':
    case 'parameter':
      return { type: DYN };
    case 'opaque':
      // Objects without declared fields have no definition.
      return type.name.startsWith('kubernetes.')
        ? { problem: `unexpected failed resolution of '${type.name}'`, continueAs: ERROR }
        : { problem: `type '${typeName(type)}' does not support field selection`, continueAs: DYN };
    default:
      return { problem: `type '${typeName(type)}' does not support field selection`, continueAs: DYN };
  }
}

/**
 * The fields allowed in a message literal of a type (`Type{field: value}`); undefined for types without
 * literals.
 */
export function messageFields(type: Type): ((name: string) => Type | undefined) | undefined {
  if (type.kind === 'object') return (name) => type.field(name)?.type;
  if (type.kind === 'timestamp' || type.kind === 'duration')
    return (name) => (name === 'seconds' || name === 'nanos' ? INT : undefined);
  return undefined;
}
