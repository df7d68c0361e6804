import { expect, test } from "vitest";
import { credentialsIn } from "./answered-credentials.ts";

const names = ["client_secret"];
const secret = "pi_1_secret_0123456789";

test("a credential in an answer is replaced wherever it occurs", () => {
  const answer = { id: "pi_1", client_secret: secret, next: [{ url: `https://pay.test/?secret=${secret}` }] };
  expect(credentialsIn(answer, names).value(answer)).toEqual({
    id: "pi_1",
    client_secret: "[redacted]",
    next: [{ url: "https://pay.test/?secret=[redacted]" }],
  });
});

test("a credential within lists and objects is found", () => {
  const answer = { error: { intents: [{ client_secret: secret }] } };
  expect(JSON.stringify(credentialsIn(answer, names).value(answer))).not.toContain(secret);
});

test("a credential in an answer that was cut is replaced, even if it was cut itself", () => {
  const text = `{"id":"pi_1","client_secret" : "${secret}","amount":`;
  expect(credentialsIn(text, names).text(text)).not.toContain(secret);
  const cut = text.slice(0, text.indexOf(secret) + 12);
  expect(credentialsIn(cut, names).text(cut)).not.toContain("pi_1_secret");
});

test("an answer without these members stays the same value", () => {
  const answer = { id: "pi_1", client_secret: null };
  expect(credentialsIn(answer, names).value(answer)).toBe(answer);
  expect(credentialsIn({ client_secret: secret }).text(secret)).toBe(secret);
});
