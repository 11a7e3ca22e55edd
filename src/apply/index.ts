/** Server-side apply: ownership of the fields of an object, and its effect on writes. */

export { ShapeError } from './configuration.ts';
export { FieldManager } from './field-manager.ts';
export { FieldSet } from './field-set.ts';
export { fieldSetOf } from './field-set-builder.ts';
export { parseFieldsV1, serializeFieldsV1 } from './fields-v1.ts';
export { mergeWithoutOwners } from './merge-patch.ts';
export { fieldElement } from './path-element.ts';
export { SCALE_VERSION, type ScaledKind, scaledOwners, scaleOwners } from './scale-owners.ts';
export { messageShape, type Shape } from './shape.ts';
export { structuralShape } from './structural-shape.ts';
