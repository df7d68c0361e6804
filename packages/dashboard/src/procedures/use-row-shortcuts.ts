import { useMemo } from "react";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";

/** `j` and `k` move the focus along the links of a table's rows, which Enter opens. */
export function useRowShortcuts(caption: string): void {
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const move = (by: number) => (): void => {
      const tables = [...document.querySelectorAll("table")];
      const table = tables.find((one) => one.caption?.textContent === caption);
      const links = [...(table?.querySelectorAll<HTMLElement>("tbody th a") ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
    };
    return [
      { keys: "j", does: "Next procedure", run: move(1) },
      { keys: "k", does: "Previous procedure", run: move(-1) },
    ];
  }, [caption]);
  useShortcuts(shortcuts);
}
