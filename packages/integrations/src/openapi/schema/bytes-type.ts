/** Whether a media type, list or range consists of binary types: an image, a PDF, an archive. */
export function isBytesType(mediaType: string): boolean {
  return !/^\s*(?:\*|application\/\*|text\/)|json|\bxml|yaml|x-www-form-urlencoded/i.test(mediaType);
}
