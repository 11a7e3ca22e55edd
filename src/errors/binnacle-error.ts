/** Tells errors of this program apart; stable between releases. */
export type ErrorCode = `ERR_BINNACLE_${string}`;

/**
 * An error of this program that callers distinguish. Errors of the API are Status objects (`ApiError`), whose
 * code is the HTTP status. Failed requests to other servers have the system's codes (`OutboundError`).
 */
export abstract class BinnacleError extends Error {
  abstract readonly code: ErrorCode;
}
