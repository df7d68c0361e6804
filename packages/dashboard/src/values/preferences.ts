/* What a reader chooses for this browser: the appearance, and the zone of times. */
import { useSyncExternalStore } from "react";

export type Appearance = "system" | "light" | "dark";

export interface Preferences {
  readonly appearance: Appearance;
  /** An IANA name; `undefined` for the zone of the browser. */
  readonly timeZone: string | undefined;
}

const storageKey = "procedo.preferences";
const standard: Preferences = { appearance: "system", timeZone: undefined };
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Record<keyof Preferences, unknown>>;
    const { appearance, timeZone } = stored;
    return {
      appearance: appearance === "light" || appearance === "dark" ? appearance : "system",
      timeZone: typeof timeZone === "string" && isTimeZone(timeZone) ? timeZone : undefined,
    };
  } catch {
    return standard;
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  localStorage.setItem(storageKey, JSON.stringify(current));
  applyAppearance();
  for (const listener of listeners) listener();
}

/** Sets the colour scheme of the page. */
export function applyAppearance(): void {
  const { dataset } = document.documentElement;
  if (current.appearance === "system") delete dataset["appearance"];
  else dataset["appearance"] = current.appearance;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** The zone in which times are shown. */
export function useTimeZone(): string {
  return usePreferences().timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
