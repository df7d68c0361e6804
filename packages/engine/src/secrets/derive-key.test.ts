import { expect, test } from "vitest";
import { deriveKey, type KeyPurpose } from "./derive-key.ts";

const master = new Uint8Array(32).map((_byte, index) => index);
const purposes: readonly KeyPurpose[] = ["secrets", "journal", "checkpoints"];

test("each purpose and each master key has a different key", () => {
  const other = master.map((byte) => byte ^ 1);
  const keys = [master, other].flatMap((key) =>
    purposes.map((purpose) => Buffer.from(deriveKey(key, purpose)).toString("hex")),
  );
  expect(new Set(keys).size).toBe(6);
  expect(keys.every((key) => key.length === 64)).toBe(true);
});

test("a key stays the same over releases", () => {
  // Computed with another implementation: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:000102…1f
  //   -kdfopt info:procedo/v1/<purpose> -binary HKDF
  const hex = purposes.map((purpose) => Buffer.from(deriveKey(master, purpose)).toString("hex"));
  expect(hex).toEqual([
    "bddac607af3b3d1154b0ef3de34e468f6a8cfcd4fa2221218852ecf65f613310",
    "ae8d6987db61499f21cdc9632b35a0d53fbc3ad38b3e6c69713980d4d1010486",
    "e9adff9a5b47b56f161eeb6366fe7905e51eacde93ffca87ae67eedeac7420e8",
  ]);
});

test("a master key of fewer than 32 bytes is refused", () => {
  expect(() => deriveKey(master.subarray(1), "secrets")).toThrow(
    expect.objectContaining({ code: "invalid_configuration" }),
  );
});
