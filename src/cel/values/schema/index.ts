export { escapePropertyName, unescapePropertyName } from './property-names.ts';
export { valueOfSchema } from './schema-value.ts';
export type { ValueSchema } from './value-schema.ts';
