// What Node.js runs in the executable: it compiles the bundle, from the code that was compiled before where that fits
// this machine, and runs it. It is a CommonJS script of its own.
import { writeFileSync } from 'node:fs';
import { getRawAsset } from 'node:sea';
import { Script } from 'node:vm';

/** Constants of the build: whether compiled code is in the executable, or this one only compiles it for another. */
declare const HAS_CODE: boolean;
declare const RECORDS_CODE: boolean;

const text = Buffer.from(getRawAsset('bundle.cjs') as ArrayBuffer).toString('latin1');
const cachedData = HAS_CODE ? Buffer.from(getRawAsset('code-cache') as ArrayBuffer) : undefined;
const script = new Script(`(function (require, exports, module, __filename) {${text}\n})`, {
  filename: 'binnacle.cjs',
  // Rejected, without an error, where flags of V8 differ: the code is compiled again.
  ...(cachedData !== undefined && { cachedData }),
});
const module = { exports: {} };
// This `require` has the modules of Node.js only, so that nothing beside the executable is loaded.
script.runInThisContext()(require, module.exports, module, process.execPath);
if (RECORDS_CODE)
  process.on('SIGUSR2', () => {
    writeFileSync(process.env['CODE_CACHE_FILE']!, script.createCachedData());
    process.exit(0);
  });
