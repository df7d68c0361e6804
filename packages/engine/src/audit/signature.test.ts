import { describe, expect, test } from "vitest";
import { createAuditSigner, signatureProblem } from "./signature.ts";

const signer = createAuditSigner(new Uint8Array(32).fill(1));
const signed = signer.sign("what happened");

test("key pair, thumbprint and signature are those of RFC 8037, appendix A", () => {
  const example = createAuditSigner(Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url"));
  expect(example.publicKey).toEqual({
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  });
  expect(example.sign("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc").signature).toBe(
    "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
  );
});

describe("a signature", () => {
  test("is valid under its own key, which each engine derives again", () => {
    expect(signatureProblem(signed, signer.publicKey)).toBeUndefined();
    expect(createAuditSigner(new Uint8Array(32).fill(1)).sign("what happened")).toEqual(signed);
  });

  test("is not valid under another key, regardless of the name of that key", () => {
    const other = createAuditSigner(new Uint8Array(32).fill(2));
    expect(signatureProblem(signed, other.publicKey)).toBe("key");
    expect(signatureProblem(signed, { ...other.publicKey, kid: signer.publicKey.kid })).toBe("key");
    expect(signatureProblem({ ...signed, keyId: other.publicKey.kid }, other.publicKey)).toBe("signature");
  });

  test("is not valid for another text, and has only one spelling", () => {
    expect(signatureProblem({ ...signed, statement: "what happened " }, signer.publicKey)).toBe("signature");
    const lastCharacter = signed.signature.at(-1) ?? "";
    // The last of 86 characters contains four bits that no byte uses.
    const spelledAnew = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      .split("")
      .filter((character) => character !== lastCharacter)
      .map((character) => signed.signature.slice(0, -1) + character);
    const sameBytes = spelledAnew.filter((text) =>
      Buffer.from(text, "base64url").equals(Buffer.from(signed.signature, "base64url")),
    );
    expect(sameBytes.length).toBeGreaterThan(0);
    for (const signature of [...spelledAnew, `${signed.signature}=`, ` ${signed.signature}`, ""]) {
      expect(signatureProblem({ ...signed, signature }, signer.publicKey)).toBe("signature");
    }
  });

  test("is not verified with an invalid public key", () => {
    const x = signer.publicKey.x.slice(1);
    expect(() => signatureProblem(signed, { ...signer.publicKey, x })).toThrow("not an Ed25519 key");
  });
});
