/** `10 MiB`; the exact number of bytes where it is no whole number of a unit. */
export function formatBytes(bytes: number): string {
  const [name, size] = units.find(([, unit]) => bytes >= unit && bytes % unit === 0) ?? ["bytes", 1];
  return `${(bytes / size).toLocaleString("en")} ${name}`;
}

const units = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
] as const;

/** `30 s`; milliseconds where it is no whole number of seconds. */
export function formatMs(ms: number): string {
  return ms % 1_000 === 0 ? `${(ms / 1_000).toLocaleString("en")} s` : `${ms.toLocaleString("en")} ms`;
}
