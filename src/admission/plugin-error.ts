import { ApiError } from '../status/api-error.ts';

/** The 500 of a plugin that cannot decide, for example because of a malformed annotation: without a reason. */
export const pluginError = (message: string): ApiError => new ApiError(500, '', message, undefined);
