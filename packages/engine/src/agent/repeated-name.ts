/**
 * The first name that an object of a JSON text has twice; `undefined` when there is none. Whoever reads such a text keeps
 * one of the two values, and not everybody the same. The text has to be JSON; it is read once, whatever is in it.
 */
export function repeatedName(json: string): string | undefined {
  /** The names of each object that is open; `undefined` for a list. */
  const open: (Set<string> | undefined)[] = [];
  let mayBeName = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case openObject:
        open.push(new Set());
        mayBeName = true;
        break;
      case openList:
        open.push(undefined);
        mayBeName = false;
        break;
      case closeObject:
      case closeList:
        open.pop();
        mayBeName = false;
        break;
      case comma:
        mayBeName = open.at(-1) !== undefined;
        break;
      case quote: {
        const end = endOfText(json, at);
        const names = mayBeName ? open.at(-1) : undefined;
        if (names !== undefined) {
          const name = JSON.parse(json.slice(at, end + 1)) as string;
          if (names.has(name)) return name;
          names.add(name);
        }
        mayBeName = false;
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return undefined;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Where the text that begins at `from` has its last quote. */
function endOfText(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
