const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows' };
const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: 'amd64', ia32: '386' };

/** A platform as Go names it, for example `linux` and `amd64`. */
export interface GoPlatform {
  readonly os: string;
  readonly arch: string;
}

/** @param platform and @param architecture as Node.js names them, for example `win32` and `x64` */
export const goPlatform = (platform: NodeJS.Platform, architecture: NodeJS.Architecture): GoPlatform => ({
  os: SYSTEMS[platform] ?? platform,
  arch: ARCHITECTURES[architecture] ?? architecture,
});
