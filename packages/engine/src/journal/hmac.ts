import { createHmac, hash } from "node:crypto";

const blockBytes = 64;
const digestBytes = 32;

/** Bytes of a message that is hashed without making an object for it; every journal's fits. */
const maxShortBytes = 512;

/** A key's two blocks (RFC 2104), each with room for what is hashed after it. */
interface KeyedBlocks {
  readonly inner: Buffer;
  readonly outer: Buffer;
  /** The inner block up to each length that was hashed: there are few, and rows need not make views of their own. */
  readonly innerTo: Map<number, Buffer>;
}

const blocksOfKey = new WeakMap<Uint8Array, KeyedBlocks>();

/**
 * HMAC-SHA256 (RFC 2104) of a short text, as base64url. Made of one-shot hashes: an `Hmac` object for each row costs
 * twice the time and leaves a kilobyte to collect.
 */
export function hmacOfText(key: Uint8Array, text: string): string {
  if (text.length * 3 > maxShortBytes || key.length > blockBytes) {
    return createHmac("sha256", key).update(text).digest("base64url");
  }
  let blocks = blocksOfKey.get(key);
  if (blocks === undefined) {
    blocks = keyedBlocks(key);
    blocksOfKey.set(key, blocks);
  }
  const { inner, outer } = blocks;
  const end = blockBytes + inner.write(text, blockBytes, "utf8");
  outer.write(hash("sha256", upTo(end, blocks), "latin1"), blockBytes, "latin1");
  return hash("sha256", outer, "base64url");
}

function upTo(end: number, { inner, innerTo }: KeyedBlocks): Buffer {
  const known = innerTo.get(end);
  if (known !== undefined) return known;
  const view = inner.subarray(0, end);
  innerTo.set(end, view);
  return view;
}

function keyedBlocks(key: Uint8Array): KeyedBlocks {
  const inner = Buffer.alloc(blockBytes + maxShortBytes);
  const outer = Buffer.alloc(blockBytes + digestBytes);
  for (let index = 0; index < blockBytes; index++) {
    const byte = key[index] ?? 0;
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  return { inner, outer, innerTo: new Map() };
}
