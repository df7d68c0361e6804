import type { Sync } from "./draft-state.ts";

/** The state of a draft in words, which never say more than is known. */
export function saveWord({ kind }: Sync, isKept: boolean, hasUnfinished: boolean): string {
  const kept = isKept ? ", kept on this device" : "";
  switch (kind) {
    case "saved":
      return hasUnfinished ? "Saved without the text that is not valid yet" : "All changes saved";
    case "edited":
    case "saving":
    case "comparing":
      return "Saving…";
    case "offline":
      return `Not saved: offline${kept}`;
    case "conflict":
      return "Not saved: someone else saved";
    case "refused":
      return `Not saved: refused by the service${kept}`;
  }
}
