/**
 * The text to search for. Of a pasted text that has an id in it, such as a link to a run or a line of a log, only the id
 * counts.
 */
export function searchedText(text: string): string {
  const ids = /(?:^|[^\w-])((?:run|rev)_[\w-]{8,})/.exec(text);
  return ids?.[1] ?? text.trim().slice(0, 200);
}
