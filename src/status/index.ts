export * from './api-error.ts';
export * from './errors.ts';
export * from './field-error.ts';
