// What Node.js runs in the executable: it compiles the bundle, from the code that was compiled before where that fits
// this machine, and runs it. It is a CommonJS script of its own.
import { writeFileSync } from 'node:fs';
import { getRawAsset } from 'node:sea';
import { evaluateBundle } from './compiled-script.ts';

/** Constants of the build: whether compiled code is in the executable, or this one only compiles it for another. */
declare const HAS_CODE: boolean;
declare const RECORDS_CODE: boolean;

const { script } = evaluateBundle(Buffer.from(getRawAsset('bundle.cjs') as ArrayBuffer).toString('latin1'), {
  name: 'binnacle.cjs',
  // This `require` has the modules of Node.js only, so that nothing beside the executable is loaded.
  require,
  file: process.execPath,
  compiled: HAS_CODE ? Buffer.from(getRawAsset('code-cache') as ArrayBuffer) : undefined,
});
if (RECORDS_CODE)
  process.on('SIGUSR2', () => {
    writeFileSync(process.env['CODE_CACHE_FILE']!, script.createCachedData());
    process.exit(0);
  });
