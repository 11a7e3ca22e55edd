/** A place in a value, linked to the place of the value around it; the root has none. */
export interface Place {
  readonly parent: Place | undefined;
  /** Name of a member or index of an element. */
  readonly key: string | number;
  /** The key is the key of a map, which is shown in brackets. */
  readonly isMapKey?: boolean;
}

/** Returns the path of a place below a field: `spec.list[0].name`. */
export function pathText(place: Place | undefined, field = ''): string {
  const places: Place[] = [];
  for (let at = place; at !== undefined; at = at.parent) places.push(at);
  let text = field;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const { key, isMapKey } = places[index]!;
    if (typeof key === 'number' || isMapKey === true) text += `[${key}]`;
    else text += text === '' ? key : `.${key}`;
  }
  return text;
}
