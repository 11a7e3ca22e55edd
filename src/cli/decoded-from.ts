import { DecodeError } from '../codec/decode-error.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';

/**
 * Returns what `decode` reads in a file.
 * @throws ConfigurationError with the file in front of the text of a DecodeError
 */
export function decodedFrom<Result>(file: string, decode: () => Result): Result {
  try {
    return decode();
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigurationError(`${file}: ${error.message}`);
    throw error;
  }
}
