const NO_MEMBERS: Readonly<Record<string, unknown>> = Object.freeze({});

/** Whether a parsed JSON value is an object: neither a list, null nor a scalar. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object; undefined for any other value. */
export function jsonObject(value: unknown): Record<string, unknown> | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The members of a JSON object; none for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : NO_MEMBERS;
}
