import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** A sign-in in progress, as the browser's cookie carries it. */
export interface SignInState {
  /** The path to which the browser goes afterwards. */
  readonly returnTo: string;
  /** The values that bind the provider's answer to this sign-in. */
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** When the sign-in ends, in milliseconds since the epoch. */
  readonly endsAtMs: number;
}

/** Encrypts states, so that a browser can neither read nor change them, and each node can open them. */
export interface SealedStates {
  seal(state: SignInState): string;
  /** `undefined` for a text that is no state of this provider, and for a sign-in that has ended. */
  open(text: string): SignInState | undefined;
}

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param masterKey - the service's master key, the same on all nodes
 * @param provider - identifies the provider and its client
 */
export function createSealedStates(masterKey: Uint8Array, provider: string, now: () => number): SealedStates {
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", `procedo sign-in ${provider}`, 32));
  return {
    seal: (state) => {
      const nonce = randomBytes(nonceBytes);
      const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      const parts = [nonce, encrypting.update(JSON.stringify(state)), encrypting.final(), encrypting.getAuthTag()];
      return Buffer.concat(parts).toString("base64url");
    },
    open: (text) => {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length <= nonceBytes + tagBytes) return undefined;
      const options = { authTagLength: tagBytes };
      const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), options);
      decrypting.setAuthTag(bytes.subarray(-tagBytes));
      try {
        const opened = [decrypting.update(bytes.subarray(nonceBytes, -tagBytes)), decrypting.final()];
        const state = JSON.parse(Buffer.concat(opened).toString()) as SignInState;
        return state.endsAtMs > now() ? state : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
