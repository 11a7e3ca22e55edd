/**
 * Several errors as one, with the text that Kubernetes gives to them: each message once, in brackets where
 * there are more than one.
 */
export function joinErrors(errors: readonly Error[]): Error | undefined {
  const flat = errors.flatMap((error) =>
    error instanceof AggregateError ? (error.errors as Error[]) : [error],
  );
  const messages = [...new Set(flat.map(({ message }) => message))];
  if (flat.length <= 1) return flat[0];
  return new AggregateError(flat, messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
}
