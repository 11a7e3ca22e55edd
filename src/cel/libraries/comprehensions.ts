import { ErrorValue } from '../values/error-value.ts';
import { EntriesMap, type MapValue } from '../values/map.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';

/** A map with additional entries; a duplicate key is an error. */
function insert(map: MapValue, added: readonly (readonly [Value, Value])[]): Value {
  let extended =
    map instanceof EntriesMap ? map : EntriesMap.of(map.keys().map((key) => [key, map.find(key)!] as const));
  for (const [key, value] of added) {
    if (extended === undefined) break;
    if (extended.find(key) !== undefined)
      return new ErrorValue(`insert failed: key ${String(key)} already exists`);
    extended = extended.with(key, value);
  }
  return extended ?? new ErrorValue('unsupported key type');
}

/** Functions in the expansion of two-variable macros that build maps. */
export const COMPREHENSIONS: readonly CelFunction[] = [
  {
    name: 'cel.@mapInsert',
    overloads: [
      {
        id: '@mapInsert_map_key_value',
        arguments: ['map', 'any', 'any'],
        invoke: (_frame, map, key, value) => insert(map as MapValue, [[key, value]]),
      },
      {
        id: '@mapInsert_map_map',
        arguments: ['map', 'map'],
        invoke: (_frame, map, other) =>
          insert(
            map as MapValue,
            (other as MapValue).keys().map((key) => [key, (other as MapValue).find(key)!] as const),
          ),
      },
    ],
  },
];
