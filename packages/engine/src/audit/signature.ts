import { createPrivateKey, createPublicKey, hash, sign, verify } from "node:crypto";
import { ProcedoError } from "@procedo/contract";

/** The key for auditors: a JSON Web Key (RFC 8037). It does not allow its holder to sign. */
export interface AuditPublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  /** The public key, base64url. */
  readonly x: string;
  /** The key's thumbprint (RFC 7638); signed statements name it as `keyId`. */
  readonly kid: string;
}

/** A text with its signature. It is transmitted as text, so that its bytes stay exactly those that were signed. */
export interface SignedStatement {
  /** The signed text, which is JSON. */
  readonly statement: string;
  /** Thumbprint of the key that signed it: the `kid` of an {@link AuditPublicKey}. */
  readonly keyId: string;
  /** Ed25519 (RFC 8032) over the statement's UTF-8 bytes, base64url. */
  readonly signature: string;
}

export interface AuditSigner {
  readonly publicKey: AuditPublicKey;
  sign(statement: string): SignedStatement;
}

/** The bytes before the seed in a PKCS #8 Ed25519 key (RFC 8410). */
const pkcs8Start = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed 32 bytes; the same seed gives the same key pair */
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
 * The reason why a statement's signature is not valid; `undefined` when it is valid.
 *
 * @throws ProcedoError `invalid_input` when the public key is not an Ed25519 key
 */
export function signatureProblem(signed: SignedStatement, publicKey: AuditPublicKey): "key" | "signature" | undefined {
  const key = readPublicKey(publicKey);
  // Compares the computed thumbprint: the key's `kid` could have been changed.
  if (signed.keyId !== thumbprint(publicKey.x)) return "key";
  const signature = Buffer.from(signed.signature, "base64url");
  // Base64url has several spellings of the same bytes; only the original one is valid.
  const asWritten = signature.toString("base64url") === signed.signature;
  return asWritten && verify(null, Buffer.from(signed.statement), key, signature) ? undefined : "signature";
}

function readPublicKey({ kty, crv, x }: AuditPublicKey) {
  try {
    return createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  } catch (cause) {
    const message = "The public key is not an Ed25519 key. Use the key that the engine's audit.publicKey() returns.";
    throw new ProcedoError("invalid_input", message, { cause });
  }
}

/** RFC 7638: SHA-256 over the required members in the order of their names. */
function thumbprint(x: string): string {
  return hash("sha256", JSON.stringify({ crv: "Ed25519", kty: "OKP", x }), "base64url");
}
