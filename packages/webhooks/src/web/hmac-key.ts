const utf8 = new TextEncoder();

/** A copy of the bytes to sign: a caller that changes its buffer meanwhile changes nothing. */
export function toBytes(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? utf8.encode(body) : new Uint8Array(body);
}

/** The secret's text as a key of WebCrypto. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", utf8.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}
