/*
 * JSON pointers (RFC 6901). Here and not from `@procedo/contract`, whose schemas would be all that a thread which reads a
 * document loads for it: 40 MB.
 */

/** One step of a pointer. */
export const token = (name: PropertyKey): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The pointer to the place that a path of names and indexes leads to; `""` is the whole. */
export const jsonPointer = (path: readonly PropertyKey[]): string => path.map(token).join("");
