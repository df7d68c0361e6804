/** Minimum length of a piece in characters, except for the last. */
const pieceLength = 64 * 1024;

/**
 * Depth to which a value is split into pieces: the steps of a run, their values, and the upper levels of these. A
 * deeper part belongs to one value, which the limit of a step bounds. It is encoded at once, which is several times
 * faster.
 */
const depthOfPieces = 8;

/** Yields the same text as `JSON.stringify` in pieces, so that other work can run between two pieces. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  let text = "";

  function* add(more: string): Generator<string, void> {
    text += more;
    if (text.length < pieceLength) return;
    yield text;
    text = "";
  }

  function* walk(one: unknown, depth: number): Generator<string, void> {
    if (typeof one === "string" && one.length > pieceLength) {
      text += '"';
      for (const part of partsOf(one)) yield* add(JSON.stringify(part).slice(1, -1));
      text += '"';
    } else if (depth === 0 || typeof one !== "object" || one === null) {
      yield* add(JSON.stringify(one));
    } else if (Array.isArray(one)) {
      let before = "[";
      for (const item of one as readonly unknown[]) {
        text += before;
        before = ",";
        // JSON has no `undefined`: missing items become `null`, as in JSON.stringify.
        yield* walk(item === undefined ? null : item, depth - 1);
      }
      text += before === "[" ? "[]" : "]";
    } else {
      let before = "{";
      for (const [name, member] of Object.entries(one)) {
        if (member === undefined) continue;
        text += `${before}${JSON.stringify(name)}:`;
        before = ",";
        yield* walk(member, depth - 1);
      }
      text += before === "{" ? "{}" : "}";
    }
  }

  yield* walk(value, depthOfPieces);
  if (text !== "") yield text;
}

/** Splits a long string between characters, because half of a surrogate pair would be escaped. */
function* partsOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const end = from + pieceLength;
    const last = text.charCodeAt(end - 1);
    const to = end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}
