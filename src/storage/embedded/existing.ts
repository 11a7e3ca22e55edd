import { dataFileOf, findDataDirectory } from './data-directory.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { FORMATS, formatOfFile } from './format.ts';

/** An open data directory of a format that this version reads. */
export interface ExistingDirectory {
  readonly environment: Environment;
  /** Path of the data file. */
  readonly path: string;
  readonly format: number;
}

/**
 * Opens an existing data directory, without owning it.
 * @throws DataDirectoryError
 */
export async function openExisting(
  directory: string,
  options?: { readonly readOnly: boolean },
): Promise<ExistingDirectory> {
  const { path: real, format: marked } = findDataDirectory(directory);
  const path = dataFileOf(real);
  const environment = await openEnvironment(path, options);
  try {
    return { environment, path, format: formatOfFile(real, environment, marked, FORMATS) };
  } catch (error) {
    await environment.close();
    throw error;
  }
}
