/** A numeric IP address. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** 32 or 128 bits, unsigned. */
  readonly value: bigint;
}

/** A range of addresses in CIDR notation: `address/prefix`. */
export interface AddressRange {
  /** The address as written; its host bits may be set. */
  readonly address: IpAddress;
  readonly prefix: number;
  /** The bits after the prefix. */
  readonly hostBits: number;
}
