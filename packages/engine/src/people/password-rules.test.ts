import { expect, test } from "vitest";
import { checkPassword } from "./password-rules.ts";
import { commonPasswords } from "./common-passwords.ts";

const codeOf = (password: string): unknown => {
  try {
    checkPassword(password, "ana.maria.lopez@example.com");
    return "accepted";
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

test.each([
  ["12 characters", "kx7 Qm2 bd9!"],
  ["128 characters", "kx7Q".repeat(32)],
  ["a common word in a sentence", "welcome to the harbour"],
  ["a common word with another one", "password giraffe"],
  ["digits", "830192736451"],
  ["the first part of the e-mail address in a sentence", "ana.maria.lopez likes tea"],
  ["a sentence", "four eyes see more than two"],
  ["12 characters outside the basic plane", "🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧"],
])("%s are accepted", (_what, password) => {
  expect(codeOf(password)).toBe("accepted");
});

test.each([
  ["11 characters", "kx7 Qm2 bd9"],
  ["129 characters", `${"kx7Q".repeat(32)}!`],
  ["letters that compose to 11", "e\u0301".repeat(11)],
  ["a common one", "qwertyuiop123"],
  ["a common one in capitals", "Password1234"],
  ["the e-mail address", "Ana.Maria.Lopez@Example.com"],
  ["the first part of the e-mail address", "ana.maria.lopez"],
  ["the e-mail address with a digit", "ana.maria.lopez@example.com1"],
  ["the first part of the e-mail address with letters", "ana.maria.lopezabc"],
  ["the first part of the e-mail address with a year", "An4.Mari4.L0pez#1999"],
  ["a common word with a year", "Password2026!"],
  ["a common word with digits for letters", "Passw0rd!234"],
  ["a common word with signs for letters", "!!P@$$w0rd2031"],
  ["a common word that is repeated", "WelcomeWelcomeWelcome7"],
  ["a row of digits with two letters", "1234567890ab"],
  ["rows of the keyboard", "qwertyuiASDFGHJ"],
  ["the product with digits", "procedo12345"],
  ["the product twice", "Procedoprocedo"],
  ["one character", "zzzzzzzzzzzzzzz"],
  ["half of a surrogate pair", `kx7 Qm2 bd9! \ud83e`],
])("%s are refused without being quoted", (_what, password) => {
  expect(codeOf(password)).toBe("invalid_input");
  expect(() => checkPassword(password, "ana.maria.lopez@example.com")).not.toThrow(password);
});

test("each password of the list would pass the rule of length, in the form that is compared", () => {
  expect(commonPasswords.size).toBeGreaterThan(400);
  for (const common of commonPasswords) {
    expect(common.length).toBeGreaterThanOrEqual(12);
    expect(common).toBe(common.normalize("NFC").toLowerCase());
  }
});
