import type { FieldError } from '../../status/field-error.ts';

/** Repeats the errors of a changed role or binding: kube-apiserver validates it as a new one, too. */
export const validatedTwice = (errors: readonly FieldError[]): FieldError[] => [...errors, ...errors];
