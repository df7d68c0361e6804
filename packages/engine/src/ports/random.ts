/** Randomness for ids, nonces and jitter. */
export interface Random {
  /** Cryptographically strong bytes. */
  bytes(size: number): Uint8Array;
  /** Uniform in [0, 1). */
  uniform(): number;
}
