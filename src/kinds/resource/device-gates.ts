/** The gates of the fields that tell whether an allocated device is ready to be bound to a Pod. */
export const BINDING = {
  gate: 'DRADeviceBindingConditions',
  secondGate: 'DRAResourceClaimDeviceStatus',
  since: '1.34',
} as const;

/** The gate of the fields that share the capacity of a device between requests. */
export const CONSUMABLE = { gate: 'DRAConsumableCapacity', since: '1.34' } as const;
