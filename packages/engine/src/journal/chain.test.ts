import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { bodyDigest, chainHash, chainHashOfDigest, chainStart, firstBrokenRow } from "./chain.ts";

const key = new Uint8Array(32).fill(1);

function chain(subject: string, bodies: readonly string[]) {
  let previous = chainStart;
  return bodies.map((body, index) => {
    const row = { seq: index + 1, body, hash: chainHash(key, previous, subject, index + 1, body) };
    previous = row.hash;
    return row;
  });
}

describe("the chain", () => {
  test("is HMAC-SHA256 over the previous hash, the row's place and the SHA-256 of its body", () => {
    const digest = createHash("sha256").update('[{"é":1}]', "utf8").digest("base64url");
    const expected = createHmac("sha256", key).update(`before\nrun_1\n7\n${digest}`).digest("base64url");
    expect(chainHash(key, "before", "run_1", 7, '[{"é":1}]')).toBe(expected);
    expect(bodyDigest('[{"é":1}]')).toBe(digest);
  });

  test("still verifies by the digest of a redacted body", () => {
    expect(chainHashOfDigest(key, "before", "run_1", 2, bodyDigest("body"))).toBe(
      chainHash(key, "before", "run_1", 2, "body"),
    );
  });

  test("is whole when unchanged, also when empty", () => {
    expect(firstBrokenRow(key, "run_1", chain("run_1", ["a", "b", "c"]))).toBeUndefined();
    expect(firstBrokenRow(key, "run_1", [])).toBeUndefined();
  });

  test("names the first row that does not follow", () => {
    const rows = chain("run_1", ["a", "b", "c", "d"]);
    const [one, two, three, four] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    expect(firstBrokenRow(key, "run_1", [one, { ...two, body: "B" }, three])).toBe(2);
    expect(firstBrokenRow(key, "run_1", [one, two, { ...three, hash: two.hash }])).toBe(3);
    expect(firstBrokenRow(key, "run_1", [one, three, four])).toBe(2);
    expect(firstBrokenRow(key, "run_1", [two, three])).toBe(1);
    expect(firstBrokenRow(key, "run_1", [one, { ...two, seq: 3 }])).toBe(2);
    expect(firstBrokenRow(key, "run_1", [one, two, two])).toBe(3);
  });

  test("of one run is broken for another run, and under another key", () => {
    const rows = chain("run_1", ["a", "b"]);
    expect(firstBrokenRow(key, "run_2", rows)).toBe(1);
    expect(firstBrokenRow(new Uint8Array(32), "run_1", rows)).toBe(1);
  });
});
