import type { Sync } from "./draft-state.ts";

/**
 * The state of a draft in words, which never say more than is known. Empty for a draft that the service refused: the
 * page then says why.
 */
export function saveWord({ kind }: Sync, isKept: boolean): string {
  const kept = isKept ? ", kept on this device" : "";
  switch (kind) {
    case "saved":
      return "All changes saved";
    case "edited":
    case "saving":
    case "comparing":
      return "Saving…";
    case "offline":
      return `Not saved: offline${kept}`;
    case "conflict":
      return "Not saved: someone else saved";
    case "refused":
      return "";
  }
}
