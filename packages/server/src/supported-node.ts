/** Matches `engines` in package.json. */
const supported = { major: 22, minor: 18 };

/** Error message for an unsupported Node; `undefined` when the version is supported. */
export function tooOldNode(command: string, version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < supported.major || (major === supported.major && minor < supported.minor);
  if (!isOld) return undefined;
  return `${command} needs Node ${supported.major}.${supported.minor} or later; this is Node ${version}.`;
}
