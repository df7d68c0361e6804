/**
 * A tool's name in a form that every provider accepts: at most 64 letters, digits, `_` and `-`, with no digit or `-`
 * first, because Google refuses them there. The names of the engine's other tools depend on the result, so that no two
 * tools of a request have the same name.
 */
export function fitToolName(name: string): string {
  const fit = name
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, 64);
  return fit === "" ? "tool" : fit;
}
