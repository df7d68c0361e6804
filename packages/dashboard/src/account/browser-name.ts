/* Names of programs in `User-Agent`. Most of them name others too, so that the order matters. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//, "Safari"],
] as const;

const systems = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
] as const;

/** A browser in words, such as `Firefox 152 on Windows`; of another program, its own words. */
export function browserName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === "") return "Unknown program";
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(userAgent);
    if (found !== null) return [`${name} ${found[1] ?? ""}`, ...(system === undefined ? [] : [system])].join(" on ");
  }
  return userAgent.slice(0, 60);
}
