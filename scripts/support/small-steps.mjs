// Makes every request a large one, for `npm run conformance -- --small-steps`.
import { readFile } from 'node:fs/promises';

/** Constants that say how much work is done at once, by their names. */
const SIZES =
  /^((?:export )?const (?:[A-Z_]+_AT_ONCE|[A-Z_]+_PER_STEP|LARGE_[A-Z_]+_BYTES|SMALL|SMALL_BODY_BYTES)) = [^;]+;/gm;
/** Modules whose constants bound what they keep, not how long they work. */
const EXCEPTIONS = /\/src\/(?:http2|storage|grpc|cel\/libraries)\//;

/**
 * An esbuild plugin that sets these constants to a few parts, so that every object takes the code path of large
 * objects.
 */
export const smallSteps = {
  name: 'small-steps',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      if (EXCEPTIONS.test(path)) return undefined;
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(SIZES, '$1 = 4;'), loader: 'ts' };
    });
  },
};
