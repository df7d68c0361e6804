import type { Position } from "./api-document.ts";

/** Creates a function that converts an offset of a text to a line and a column. Lines end with LF or CR LF. */
export function createTextPositions(text: string): (offset: number) => Position {
  let lineStarts: number[] | undefined;
  return (offset) => {
    lineStarts ??= startsOfLines(text);
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}
