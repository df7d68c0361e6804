/**
 * A tool's name as every provider takes it: letters, digits, `_` and `-`, at most 64. Only one tool is offered, so that
 * no two names can become the same.
 */
export function fitToolName(name: string): string {
  const fit = name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64);
  return fit === "" ? "tool" : fit;
}
