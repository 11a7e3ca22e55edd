export { escapePropertyName, unescapePropertyName } from './property-names.ts';
export { valueOfSchema } from './typed-schema.ts';
export type { ValueSchema } from './value-schema.ts';
