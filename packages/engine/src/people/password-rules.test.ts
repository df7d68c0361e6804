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
