import { hkdfSync } from "node:crypto";
import { ProcedoError } from "@procedo/contract";

/** The purpose of a derived key. Keys of different purposes reveal nothing about each other. */
export type KeyPurpose = "secrets" | "journal" | "checkpoints";

const minMasterKeyBytes = 32;

/**
 * Derives the 32-byte key for a purpose from the master key by HKDF-SHA256 (RFC 5869), so that an operator keeps only
 * one key. The same master key and purpose always result in the same key.
 *
 * @throws ProcedoError `invalid_configuration` for a master key of fewer than 32 bytes
 */
export function deriveKey(masterKey: Uint8Array, purpose: KeyPurpose): Uint8Array {
  if (masterKey.byteLength < minMasterKeyBytes) {
    throw new ProcedoError(
      "invalid_configuration",
      `The master key has ${masterKey.byteLength} bytes. Give at least ${minMasterKeyBytes} random bytes.`,
    );
  }
  return new Uint8Array(hkdfSync("sha256", masterKey, new Uint8Array(0), `procedo/v1/${purpose}`, 32));
}
