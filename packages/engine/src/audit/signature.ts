import { createPrivateKey, createPublicKey, hash, sign, verify } from "node:crypto";
import { ProcedoError } from "@procedo/contract";

/** What auditors verify with: a JSON Web Key (RFC 8037). It tells nothing that would let its holder sign. */
export interface AuditPublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  /** The key's thumbprint (RFC 7638); signed statements name it as `keyId`. */
  readonly kid: string;
}

/** Text with its signature. It travels as text, so that its bytes are those that were signed. */
export interface SignedStatement {
  readonly statement: string;
  readonly keyId: string;
  /** Ed25519 (RFC 8032) over the statement's UTF-8 bytes, base64url. */
  readonly signature: string;
}

export interface AuditSigner {
  readonly publicKey: AuditPublicKey;
  sign(statement: string): SignedStatement;
}

/** All that stands before the seed in a PKCS #8 Ed25519 key (RFC 8410). */
const pkcs8Start = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed 32 bytes; the same seed is the same key pair */
export function createAuditSigner(seed: Uint8Array): AuditSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const publicKey: AuditPublicKey = { kty: "OKP", crv: "Ed25519", x, kid: thumbprint(x) };
  return {
    publicKey,
    sign: (statement) => ({
      statement,
      keyId: publicKey.kid,
      signature: sign(null, Buffer.from(statement), privateKey).toString("base64url"),
    }),
  };
}

/**
 * Why a statement's signature does not hold; `undefined` when it does.
 *
 * @throws ProcedoError `invalid_input` when the public key is none
 */
export function signatureProblem(signed: SignedStatement, publicKey: AuditPublicKey): "key" | "signature" | undefined {
  const key = readPublicKey(publicKey);
  // The key's own thumbprint counts, not the name that somebody gave it.
  if (signed.keyId !== thumbprint(publicKey.x)) return "key";
  const signature = Buffer.from(signed.signature, "base64url");
  // Base64url has several spellings of the same bytes; only the one that was written holds.
  const asWritten = signature.toString("base64url") === signed.signature;
  return asWritten && verify(null, Buffer.from(signed.statement), key, signature) ? undefined : "signature";
}

function readPublicKey({ kty, crv, x }: AuditPublicKey) {
  try {
    return createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  } catch (cause) {
    const message = "The public key is no Ed25519 key. Give the one that the engine's audit.publicKey() answers.";
    throw new ProcedoError("invalid_input", message, { cause });
  }
}

/** RFC 7638: SHA-256 over the required members in the order of their names. */
function thumbprint(x: string): string {
  return hash("sha256", JSON.stringify({ crv: "Ed25519", kty: "OKP", x }), "base64url");
}
