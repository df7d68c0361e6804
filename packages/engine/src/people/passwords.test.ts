import { describe, expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { derive, hashPassword, isOutdated, isPassword, phcOf, presentCost } from "./passwords.ts";

const random = seededRandom(1);

/** RFC 7914, 12. */
test.each([
  [
    "password",
    "NaCl",
    { ln: 10, r: 8, p: 16 },
    "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640",
  ],
  [
    "pleaseletmein",
    "SodiumChloride",
    { ln: 14, r: 8, p: 1 },
    "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
  ],
])("the key of %s is that of RFC 7914", async (password, salt, cost, key) => {
  expect((await derive(password, Buffer.from(salt), cost, 64)).toString("hex")).toBe(key);
});

describe("a stored password", () => {
  test("is PHC text with the present cost and a salt of its own, and accepts this password alone", async () => {
    const [phc, other] = [await hashPassword("a fine long one", random), await hashPassword("a fine long one", random)];
    expect(phc).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(other).not.toBe(phc);
    expect(await isPassword("a fine long one", phc)).toBe(true);
    expect(await isPassword("a fine long onE", phc)).toBe(false);
    expect(isOutdated(phc)).toBe(false);
  });

  test("is the same in every composition of its letters", async () => {
    const phc = await hashPassword("caf\u00e9 caf\u00e9 caf\u00e9", random);
    expect(await isPassword("cafe\u0301 cafe\u0301 cafe\u0301", phc)).toBe(true);
  });

  test("of an earlier cost is accepted and outdated", async () => {
    const cost = { ln: 14, r: 8, p: 1 };
    const salt = new Uint8Array(16).fill(3);
    const phc = phcOf({ cost, salt, hash: await derive("an earlier password", salt, cost, 32) });
    expect([await isPassword("an earlier password", phc), isOutdated(phc)]).toEqual([true, true]);
  });

  const hash = "A".repeat(43);
  const salt = "A".repeat(22);
  test.each([
    ["empty text", ""],
    ["another algorithm", `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${hash}`],
    ["a missing parameter", `$scrypt$ln=15,r=8$${salt}$${hash}`],
    ["a cost that would occupy 16 GiB", `$scrypt$ln=24,r=8,p=1$${salt}$${hash}`],
    ["too many passes", `$scrypt$ln=15,r=8,p=99$${salt}$${hash}`],
    ["a negative parameter", `$scrypt$ln=-5,r=8,p=3$${salt}$${hash}`],
    ["padding", `$scrypt$ln=15,r=8,p=3$${salt}==$${hash}=`],
    ["a hash that is too short", `$scrypt$ln=15,r=8,p=3$${salt}$AAAA`],
    ["more text", `$scrypt$ln=15,r=8,p=3$${salt}$${hash}$`],
    ["a line end", `$scrypt$ln=15,r=8,p=3$${salt}$${hash}\n`],
  ])("with %s accepts no password", async (_what, phc) => {
    expect(await isPassword("any password", phc)).toBe(false);
  });
});

test("the present cost is that of the OWASP recommendation for 32 MiB", () => {
  expect(presentCost).toEqual({ ln: 15, r: 8, p: 3 });
});
