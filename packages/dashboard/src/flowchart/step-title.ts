import { plainTitle } from "./plain-title.ts";

/** The name of a step for people. */
export function stepTitle({ id, title }: { readonly id: string; readonly title?: string | undefined }): string {
  return title === undefined || title === "" ? id : plainTitle(title);
}
