import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/**
 * Reads responses recorded from kube-apiserver: `test/fixtures/recorded/NAME.json.gz`, or `.br` for those of later
 * releases (`1.34/wire`). The README there describes each file.
 */
export function recorded<T>(name: string): T {
  const file = (extension: string) =>
    new URL(`../fixtures/recorded/${name}.json.${extension}`, import.meta.url);
  const content = existsSync(file('br'))
    ? brotliDecompressSync(readFileSync(file('br')))
    : gunzipSync(readFileSync(file('gz')));
  return JSON.parse(content.toString('utf8')) as T;
}
