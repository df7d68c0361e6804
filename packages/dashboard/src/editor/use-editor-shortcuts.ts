import { useEffect, useMemo, useRef } from "react";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import type { Editor } from "./use-editor.ts";

export function useEditorShortcuts({ dispatch }: Editor, onProblems: () => void): void {
  const latest = useRef(onProblems);
  useEffect(() => {
    latest.current = onProblems;
  }, [onProblems]);
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "Ctrl+Z", does: "Undo", run: () => dispatch({ kind: "undo" }) },
      { keys: "Ctrl+Y", does: "Redo", run: () => dispatch({ kind: "redo" }) },
      { keys: "Ctrl+Shift+Z", does: "Redo", run: () => dispatch({ kind: "redo" }) },
      { keys: "Ctrl+S", does: "Save now", run: () => dispatch({ kind: "draft", event: { kind: "due" } }) },
      { keys: "p", does: "Go to the problems", run: () => latest.current() },
    ],
    [dispatch],
  );
  useShortcuts(shortcuts);
}
