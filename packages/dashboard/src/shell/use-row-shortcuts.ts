import { useMemo } from "react";
import { useShortcuts, type Shortcut } from "./shortcuts.ts";

/**
 * `j` and `k` move the focus along the links of a table's rows, which Enter opens.
 *
 * @param one - completes the descriptions: "Next procedure"
 */
export function useRowShortcuts(caption: string, one: string): void {
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const move = (by: number) => (): void => {
      const tables = [...document.querySelectorAll("table")];
      const table = tables.find((each) => each.caption?.textContent === caption);
      const links = [...(table?.querySelectorAll<HTMLElement>("tbody th a") ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
    };
    return [
      { keys: "j", does: `Next ${one}`, run: move(1) },
      { keys: "k", does: `Previous ${one}`, run: move(-1) },
    ];
  }, [caption, one]);
  useShortcuts(shortcuts);
}
