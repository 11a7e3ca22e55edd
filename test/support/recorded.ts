import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * Reads responses recorded from kube-apiserver: `test/fixtures/recorded/NAME.json.gz`. The README there
 * describes each file.
 */
export function recorded<T>(name: string): T {
  const file = new URL(`../fixtures/recorded/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as T;
}
