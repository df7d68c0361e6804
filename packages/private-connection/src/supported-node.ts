/** The minimum version in `engines` of package.json. */
const supported = { major: 22, minor: 18 };

/** The message for a Node that is too old; `undefined` for a supported version. */
export function tooOldNode(command: string, version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < supported.major || (major === supported.major && minor < supported.minor);
  if (!isOld) return undefined;
  return `${command} needs Node ${supported.major}.${supported.minor} or later; this is Node ${version}.`;
}
