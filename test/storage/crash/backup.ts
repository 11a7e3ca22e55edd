/** Copies the data directory named first to the one named second and says `done`. */
import { backupDirectory } from '../../../src/storage/embedded/index.ts';

const [source, target] = process.argv.slice(2) as [string, string];
await backupDirectory(source, target);
process.stdout.write('done\n');
