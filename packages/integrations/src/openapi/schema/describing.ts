/** Keywords that describe values without constraining them. */
export const describing: ReadonlySet<string> = new Set(["title", "description", "deprecated", "default", "examples"]);
