/** Keywords that describe values and demand nothing of them. */
export const describing: ReadonlySet<string> = new Set(["title", "description", "deprecated", "default", "examples"]);
