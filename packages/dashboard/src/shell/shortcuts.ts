/* Keyboard shortcuts of the page, and their list. No shortcut of one letter works while a person types. */
import { useEffect } from "react";

export interface Shortcut {
  /** One key, such as `j`, two in a row, such as `g r`, or a key with Control (Command on a Mac), such as `Ctrl+K` or `Ctrl+Shift+Z`. */
  readonly keys: string;
  /** What it does, for the list. */
  readonly does: string;
  /** Whether it works on every page. @defaultValue false */
  readonly isOfFrame?: boolean;
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
  // A key that is held down counts once: what opens meanwhile answers only to a press of its own.
  if (event.repeat) return;
  // Inside a dialog the page behind it does not answer.
  if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]") !== null) return;
  const found = event.ctrlKey || event.metaKey ? withControl(event) : isTyping(event.target) ? undefined : plain(event);
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

function withControl({ key, shiftKey }: KeyboardEvent): Shortcut | undefined {
  const pressed = `ctrl+${shiftKey ? "shift+" : ""}${key.toLowerCase()}`;
  return presentShortcuts().findLast(({ keys }) => keys.toLowerCase() === pressed);
}

function plain({ key, timeStamp }: KeyboardEvent): Shortcut | undefined {
  const before = first !== undefined && timeStamp - first.atMs < sequenceMs ? `${first.key} ` : "";
  const all = presentShortcuts();
  const found = all.findLast(({ keys }) => keys === before + key) ?? all.findLast(({ keys }) => keys === key);
  first = found === undefined ? { key, atMs: timeStamp } : undefined;
  return found;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
