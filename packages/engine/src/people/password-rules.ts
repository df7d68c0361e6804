import { normalName, ProcedoError } from "@procedo/contract";
import { isCommon, isMadeOf } from "./guessable-passwords.ts";

const lengths = { min: 12, max: 128 };

/**
 * Refuses a password that is easily guessed. Length is what makes a password strong, so that there are no rules of
 * composition (NIST SP 800-63B, 5.1.1.2).
 *
 * @throws ProcedoError `invalid_input`
 */
export function checkPassword(password: string, email: string, path = "/password"): void {
  const problem = problemOf(password, email);
  if (problem === undefined) return;
  throw new ProcedoError("invalid_input", `The password ${problem}.`, { details: [{ path, message: problem }] });
}

function problemOf(password: string, email: string): string | undefined {
  if (!password.isWellFormed()) return "contains a character that is not valid Unicode";
  const composed = password.normalize("NFC");
  const { length } = [...composed];
  if (length < lengths.min || length > lengths.max) {
    return `must have ${lengths.min} to ${lengths.max} characters, and it has ${length}`;
  }
  const plain = normalName(composed);
  if (isMadeOf(email, plain)) return "is the e-mail address or its first part, with little added";
  if (isCommon(plain)) return "is among the most common ones, which are tried first";
  return new Set(plain).size < 3 ? "repeats one or two characters" : undefined;
}
