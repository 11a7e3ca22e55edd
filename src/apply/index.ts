/** Server-side apply: who owns which fields of an object, and what that means for a write. */
export { FieldManager } from './field-manager.ts';
export { FieldSet, fieldSetOf } from './field-set.ts';
export { parseFieldsV1, serializeFieldsV1 } from './fields-v1.ts';
export { fieldElement } from './path-element.ts';
export { messageShape } from './shape.ts';
