import { ApiError } from "./api-error.ts";

/**
 * Fills the variable segments of a path.
 *
 * @throws ApiError for `.` and `..`, which a browser would resolve to another path
 */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_segment, name: string) => {
    const value = String(values[name]);
    if (value === "." || value === ".." || value === "") {
      throw new ApiError("not_found", `There is nothing named "${value}".`);
    }
    return encodeURIComponent(value);
  });
}
