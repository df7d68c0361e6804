import { useState } from "react";

/**
 * Keeps the first value about a subject, so that later ones change nothing under a person's hands.
 *
 * @returns the value, and a function that replaces it
 */
export function useFirst<Value>(
  subject: string,
  present: Value | undefined,
): readonly [value: Value | undefined, replace: (value: Value) => void] {
  const [kept, setKept] = useState({ subject, value: present });
  const replace = (value: Value | undefined): void => setKept({ subject, value });
  if (kept.subject === subject && kept.value !== undefined) return [kept.value, replace];
  if (kept.subject !== subject || present !== undefined) replace(present);
  return [present, replace];
}
