import type { EmbeddedResource } from '../../../schema/structural/index.ts';
import type { FieldError } from '../../../status/field-error.ts';
export const validateEmbeddedMetadata = (_resource: EmbeddedResource): FieldError[] => [];
