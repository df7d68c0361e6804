/* Keyboard shortcuts of the page, and their list. No shortcut of one letter works while a person types. */
import { useEffect } from "react";

export interface Shortcut {
  /** One key, such as `j`, or two in a row, such as `g r`. */
  readonly keys: string;
  /** What it does, for the list. */
  readonly does: string;
  readonly run: () => void;
}

const sequenceMs = 1_000;
const registered = new Set<readonly Shortcut[]>();
let first: { readonly key: string; readonly atMs: number } | undefined;

/** The shortcuts that work at present, in the order of their registration. */
export function presentShortcuts(): readonly Shortcut[] {
  return [...registered].flat();
}

/** Registers shortcuts while the component is shown. Keep the list between renders. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    if (registered.size === 0) document.addEventListener("keydown", onKey);
    registered.add(shortcuts);
    return () => {
      registered.delete(shortcuts);
      if (registered.size === 0) document.removeEventListener("keydown", onKey);
    };
  }, [shortcuts]);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  // Inside a dialog the page behind it does not answer.
  if (document.querySelector("dialog[open]") !== null) return;
  const before = first !== undefined && event.timeStamp - first.atMs < sequenceMs ? `${first.key} ` : "";
  const all = presentShortcuts().toReversed();
  const found = all.find(({ keys }) => keys === before + event.key) ?? all.find(({ keys }) => keys === event.key);
  first = found === undefined ? { key: event.key, atMs: event.timeStamp } : undefined;
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
