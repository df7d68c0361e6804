/** A media type without its parameters, in lower case. Of several, as in a repeated header, the first. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(/[;,]/, 1)[0] ?? "").trim().toLowerCase();
}
