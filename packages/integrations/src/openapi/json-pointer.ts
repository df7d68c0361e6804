/*
 * JSON pointers (RFC 6901). Not imported from `@procedo/contract`, whose schemas would cost each document thread 40 MB.
 */

/** One step of a pointer, escaped. */
export const token = (name: PropertyKey): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The pointer for a path of names and indexes; `""` is the whole document. */
export const jsonPointer = (path: readonly PropertyKey[]): string => path.map(token).join("");
