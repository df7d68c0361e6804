/*
 * Encryption of secrets for storage, and their removal from texts.
 *
 *   secret-box.ts        encrypts and decrypts a secret for its row and field
 *   derive-key.ts        derives a key for each purpose from the master key; master-key-file.ts: the file of that key
 *   check-master-key.ts  checks that the workspace was written with this master key
 *   keyed-storage.ts     storage that writes nothing before that check has passed
 *   redact.ts            removes secrets from texts and values; secret-forms.ts: the forms of a secret,
 *                        undo-escapes.ts: escaped forms
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { ProcedoError, type Environment } from "@procedo/contract";

/** The row and field that a secret belongs to. It can be decrypted for this place only. */
export interface SecretPlace {
  readonly workspaceId: string;
  readonly environment: Environment;
  /** Kind of the row: `"connection"`, `"webhook"`. */
  readonly kind: string;
  /** The row's id. */
  readonly id: string;
  /** Name of the secret within the row: `"signingSecret"`. */
  readonly field: string;
}

export interface SecretKey {
  /** 1 to 64 letters, digits, `_` or `-`; stored in the clear beside each value. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

export interface SecretBoxOptions {
  /** The first key encrypts; all of them decrypt. */
  readonly keys: readonly SecretKey[];
  readonly random: (size: number) => Uint8Array;
}

/** Encrypts secrets for storage. */
export interface SecretBox {
  /** Returns `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. */
  seal(secret: string, place: SecretPlace): string;
  /**
   * @throws ProcedoError `decryption_failed` when the value is malformed, its key is missing, or it was altered, moved
   *   from another place or encrypted with another key of the same id
   */
  open(sealed: string, place: SecretPlace): string;
  /** Whether the value is encrypted with another key than the first and should be sealed again. */
  needsRotation(sealed: string): boolean;
}

const version = "v1";
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts by AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce per value and the place as additional data. With
 * random nonces a key may encrypt at most 2^32 values; rotate it long before that.
 *
 * @throws ProcedoError `invalid_configuration` for no key, a duplicate or invalid id, or a key of other than 32 bytes
 */
export function createSecretBox(options: SecretBoxOptions): SecretBox {
  const keys = new Map(options.keys.map(({ id, key }) => [id, key]));
  const current = options.keys[0] ?? noKey();
  if (keys.size !== options.keys.length)
    throw misconfigured("Two keys for secrets have the same id. Give each its own.");
  for (const [id, key] of keys) {
    if (!/^[\w-]{1,64}$/.test(id)) throw misconfigured("A key id has 1 to 64 letters, digits, _ or -.");
    if (key.byteLength !== 32) throw misconfigured(`Key "${id}" has ${key.byteLength} bytes; AES-256 takes 32.`);
  }

  function seal(secret: string, place: SecretPlace): string {
    const nonce = options.random(nonceBytes);
    const cipher = createCipheriv(algorithm, current.key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(additionalData(current.id, place));
    const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return [version, current.id, Buffer.from(nonce).toString("base64url"), ciphertext.toString("base64url")].join(".");
  }

  function open(sealed: string, place: SecretPlace): string {
    const { keyId, nonce, ciphertext } = read(sealed, place);
    const key = keys.get(keyId);
    if (key === undefined) {
      throw unreadable(place, `it was encrypted with key "${keyId}", which is not among the keys. Add that key again.`);
    }
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(additionalData(keyId, place));
    decipher.setAuthTag(ciphertext.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(ciphertext.subarray(0, -tagBytes)), decipher.final()]).toString("utf8");
    } catch (cause) {
      const why = `key "${keyId}" does not open it: the value was altered or moved here, or the key was replaced.`;
      throw unreadable(place, why, cause);
    }
  }

  return {
    seal,
    open,
    needsRotation: (sealed) => sealed.split(".")[1] !== current.id,
  };
}

function read(sealed: string, place: SecretPlace) {
  const [writtenVersion, keyId = "", nonceText = "", ciphertextText = "", ...rest] = sealed.split(".");
  const nonce = decode(nonceText);
  const ciphertext = decode(ciphertextText);
  const isWhole =
    writtenVersion === version &&
    rest.length === 0 &&
    nonce?.byteLength === nonceBytes &&
    ciphertext !== undefined &&
    ciphertext.byteLength >= tagBytes;
  if (!isWhole) throw unreadable(place, "the stored value is not a sealed secret.");
  return { keyId, nonce, ciphertext };
}

/** Decodes strictly. Buffer skips characters that are not base64url, so two texts would decode to one value. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

/** The authenticated data. As JSON it is unambiguous for all values. */
function additionalData(keyId: string, place: SecretPlace): Buffer {
  const { workspaceId, environment, kind, id, field } = place;
  return Buffer.from(JSON.stringify([version, keyId, workspaceId, environment, kind, id, field]));
}

function unreadable(place: SecretPlace, why: string, cause?: unknown): ProcedoError {
  return new ProcedoError(
    "decryption_failed",
    `The ${place.field} of ${place.kind} "${place.id}" cannot be read: ${why}`,
    {
      cause,
    },
  );
}

function noKey(): never {
  throw misconfigured("There is no key for secrets. Give at least one.");
}

function misconfigured(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
