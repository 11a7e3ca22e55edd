/**
 * Opens the data file of the first argument for reading, writes `held`, and keeps it open until it is killed.
 */
import { writeSync } from 'node:fs';
import { openEnvironment } from '../../../src/storage/embedded/environment.ts';

const environment = await openEnvironment(process.argv[2]!, { readOnly: true });
setInterval(() => environment.log.lastKey(), 1);
writeSync(1, 'held\n');
