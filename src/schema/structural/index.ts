/** Structural schemas of JSON values: whether a value fits one, and what of it the schema knows. */
export { equalJson, jsonText } from './json.ts';
export { prune } from './prune.ts';
export { validateValue } from './validate-value.ts';
export type { ValueError, ValueSchema } from './value-schema.ts';
