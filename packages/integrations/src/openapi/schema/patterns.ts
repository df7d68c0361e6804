const maxCheckedLength = 2_000;

/** Whether a `pattern` is a regular expression of ECMAScript at all; many validators throw at one that is not. */
export function isPattern(pattern: string): boolean {
  for (const flags of ["u", ""]) {
    try {
      new RegExp(pattern, flags);
      return true;
    } catch {
      // Many patterns escape more than the strict syntax allows.
    }
  }
  return false;
}

/**
 * Why a `pattern` is not checked before a call; `undefined`: it is. Patterns run on an engine whose time is linear, which has
 * neither look-around nor back-references.
 */
export function uncheckedPattern(pattern: string): string | undefined {
  if (pattern.length > maxCheckedLength) return `is longer than ${maxCheckedLength} characters`;
  if (/\(\?<?[=!]/.test(pattern)) return "looks ahead or behind";
  if (/\\(?:[1-9]|k<)/.test(pattern)) return "refers back to what it matched";
  return undefined;
}
