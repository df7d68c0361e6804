import { useEffect, useRef } from "react";
import { useToast } from "../../ui/toasts.tsx";
import type { EditorState } from "../editor-state.ts";

/** Says that the page now shows a draft that someone else saved, and that undo ends there. */
export function useAdoptionNotice({ draft: { base, mine }, history: { past } }: EditorState): void {
  const toast = useToast();
  const seen = useRef({ base, couldUndo: past.length > 0 });
  useEffect(() => {
    const { base: before, couldUndo } = seen.current;
    const canUndo = past.length > 0;
    if (before !== base && mine === base.document && base.by !== undefined) {
      const end = couldUndo && !canUndo ? " Undo goes back to this revision, and no further." : "";
      toast(`${base.by} saved this draft. You see revision ${base.revision}.${end}`);
    }
    seen.current = { base, couldUndo: canUndo };
  }, [base, mine, past, toast]);
}
