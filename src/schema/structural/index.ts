/** Structural schemas of JSON values: pruning, defaults, validation and ratcheting. */
export { TooManyDefaultsError } from './defaults.ts';
export { type EmbeddedResource, validateTypeMeta } from './embedded.ts';
export { valueText } from './go-text.ts';
export { copyJson, equalJson } from './json.ts';
export { Structure, sharedStructure } from './structure.ts';
export { isBlocking, type ValueSchema } from './value-schema.ts';
