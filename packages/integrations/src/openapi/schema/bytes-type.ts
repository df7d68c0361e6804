/** Whether a media type, or a list or range of them, names bytes that are no text: an image, a PDF, an archive. */
export function isBytesType(mediaType: string): boolean {
  return !/^\s*(?:\*|application\/\*|text\/)|json|\bxml|yaml|x-www-form-urlencoded/i.test(mediaType);
}
