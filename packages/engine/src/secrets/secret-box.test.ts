import { createDecipheriv, randomBytes } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createSecretBox, type SecretPlace } from "./secret-box.ts";

const place: SecretPlace = {
  workspaceId: "ws_1",
  environment: "live",
  kind: "connection",
  id: "con_1",
  field: "secrets",
};
const first = { id: "k1", key: new Uint8Array(32).fill(1) };
const second = { id: "k2", key: new Uint8Array(32).fill(2) };
const random = (size: number) => randomBytes(size);
const box = createSecretBox({ keys: [first], random });
const unreadable = expect.objectContaining({ code: "decryption_failed" });

describe("a sealed secret", () => {
  test.each(["whsec_abc", "", "ä€\ud83d\ude00", "x".repeat(100_000), '{"token":"a.b"}'])(
    "can be decrypted (%#)",
    (secret) => {
      expect(box.open(box.seal(secret, place), place)).toBe(secret);
    },
  );

  test("is never the same twice and does not show its text", () => {
    const sealed = Array.from({ length: 50 }, () => box.seal("hunter2hunter2", place));
    expect(new Set(sealed).size).toBe(50);
    expect(sealed.join()).not.toMatch(/hunter2/);
  });

  test("is standard AES-256-GCM", () => {
    const fixed = createSecretBox({ keys: [first], random: (size) => new Uint8Array(size).fill(7) });
    const [version, keyId, nonce = "", data = ""] = fixed.seal("whsec_abc", place).split(".");
    expect([version, keyId, nonce]).toEqual(["v1", "k1", "BwcHBwcHBwcHBwcH"]);
    const bytes = Buffer.from(data, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", first.key, new Uint8Array(12).fill(7), { authTagLength: 16 });
    decipher
      .setAAD(Buffer.from('["v1","k1","ws_1","live","connection","con_1","secrets"]'))
      .setAuthTag(bytes.subarray(-16));
    expect(decipher.update(bytes.subarray(0, -16)).toString() + decipher.final("utf8")).toBe("whsec_abc");
  });
});

describe("a secret can be decrypted only for its own place", () => {
  test.each([
    { workspaceId: "ws_2" },
    { environment: "sandbox" },
    { kind: "webhook" },
    { id: "con_2" },
    { field: "token" },
    { kind: 'connection","con_1', id: "" },
  ] as const)("not with %j", (other) => {
    expect(() => box.open(box.seal("secret", place), { ...place, ...other })).toThrow(unreadable);
  });
});

describe("an altered value cannot be decrypted", () => {
  const sealed = box.seal("secret", place);

  test("after a change of any character", () => {
    for (let index = 0; index < sealed.length; index++) {
      const altered = sealed.slice(0, index) + (sealed[index] === "A" ? "B" : "A") + sealed.slice(index + 1);
      expect(() => box.open(altered, place), altered).toThrow(unreadable);
    }
  });

  test.each([
    "",
    "v1",
    "whsec_plain",
    sealed.slice(0, -1),
    sealed.slice(0, -4),
    `${sealed}A`,
    `${sealed}.x`,
    `${sealed}=`,
    ` ${sealed}`,
    `${sealed}\n`,
    sealed.replace("v1.", "v2."),
    sealed.replace(/\.[^.]+$/, "."),
    sealed.replace(/\.[^.]+$/, ".AAAA"),
  ])("%j", (altered) => {
    expect(() => box.open(altered, place)).toThrow(unreadable);
  });
});

describe("keys", () => {
  test("the first key encrypts, all keys decrypt, and values of other keys need rotation", () => {
    const old = box.seal("secret", place);
    const rotated = createSecretBox({ keys: [second, first], random });
    expect(rotated.open(old, place)).toBe("secret");
    expect([box.needsRotation(old), rotated.needsRotation(old)]).toEqual([false, true]);
    const renewed = rotated.seal(rotated.open(old, place), place);
    expect(rotated.needsRotation(renewed)).toBe(false);
    expect(createSecretBox({ keys: [second], random }).open(renewed, place)).toBe("secret");
  });

  test("an error names the missing key", () => {
    const without = createSecretBox({ keys: [second], random });
    expect(() => without.open(box.seal("secret", place), place)).toThrow(unreadable);
    expect(() => without.open(box.seal("secret", place), place)).toThrow(/"k1", which is not among the keys/);
  });

  test("another key with the same id does not decrypt", () => {
    const wrong = createSecretBox({ keys: [{ id: "k1", key: second.key }], random });
    expect(() => wrong.open(box.seal("secret", place), place)).toThrow(unreadable);
  });

  test("a value cannot be decrypted after a change of its key id", () => {
    const both = createSecretBox({ keys: [first, { id: "k2", key: first.key }], random });
    expect(() => both.open(both.seal("secret", place).replace("k1", "k2"), place)).toThrow(unreadable);
  });

  test.each([
    ["no key", []],
    ["an id twice", [first, { ...second, id: "k1" }]],
    ["a key that is too short", [{ id: "k", key: new Uint8Array(31) }]],
    ["a key that is too long", [first, { id: "k", key: new Uint8Array(33) }]],
    ["an id with a dot", [{ id: "k.1", key: first.key }]],
    ["an empty id", [{ id: "", key: first.key }]],
  ])("%s is refused at start", (_case, keys) => {
    expect(() => createSecretBox({ keys, random })).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
  });
});

test("an error shows neither the secret nor the value", () => {
  const sealed = box.seal("hunter2", place);
  try {
    box.open(`${sealed}AA`, place);
    expect.unreachable();
  } catch (error) {
    expect(ProcedoError.isError(error) && error.message).toContain('connection "con_1"');
    expect(String(error)).not.toContain(sealed.split(".")[3]);
  }
});
