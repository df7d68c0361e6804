/* Whether the search is open, and the text with which it was opened. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let openedWith: string | undefined;

function set(text: string | undefined): void {
  openedWith = text;
  for (const listener of listeners) listener();
}

/** Opens the search of the frame. */
export function openSearch(text = ""): void {
  set(text);
}

export function closeSearch(): void {
  set(undefined);
}

/** The text with which the search was opened; `undefined` while it is closed. */
export function useOpenSearch(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openedWith,
  );
}
