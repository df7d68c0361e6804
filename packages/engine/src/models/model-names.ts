/**
 * A tool's name as every provider takes it: letters, digits, `_` and `-`, at most 64, and for Google no digit or `-` at
 * its beginning. The engine names all that it offers
 * beside an action by what the action's name has become, so that no two names can become the same.
 */
export function fitToolName(name: string): string {
  const fit = name
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, 64);
  return fit === "" ? "tool" : fit;
}
