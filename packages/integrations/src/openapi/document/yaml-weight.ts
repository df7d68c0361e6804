/** The weight of a part. Lines and escapes, which make up long texts, weigh a quarter. */
const part = 4;

/**
 * An upper bound of the number of parts of a YAML text, from the characters that start them. Counting needs a fraction
 * of the time and memory of reading. Characters within texts count as well, so a text that is mostly prose has fewer
 * parts.
 */
export function yamlPartsAtMost(text: string): number {
  let weight = part;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x2c: // ,
      case 0x5b: // [
      case 0x7b: // {
        weight += part;
        break;
      case 0x2d: // -
      case 0x3a: // :
      case 0x3f: // ?
        if (endsIndicator(text.charCodeAt(at + 1))) weight += part;
        break;
      case 0x00:
      case 0x0a:
      case 0x0d:
      case 0x5c: // \
        weight += 1;
        break;
      case 0x27: // '
        if (text.charCodeAt(at + 1) === 0x27) weight += 1;
        break;
    }
  }
  return weight / part;
}

function endsIndicator(unit: number): boolean {
  switch (unit) {
    case 0x09:
    case 0x0a:
    case 0x20:
    case 0x2c: // ,
    case 0x5d: // ]
    case 0x7d: // }
      return true;
    default:
      return Number.isNaN(unit);
  }
}
