/** Copies the data directory of the first argument to the second one and writes `done`. */
import { backupDirectory } from '../../../src/storage/embedded/index.ts';

const [source, target] = process.argv.slice(2) as [string, string];
await backupDirectory(source, target);
process.stdout.write('done\n');
