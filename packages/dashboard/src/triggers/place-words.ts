const places: Readonly<Record<string, string>> = {
  when: "The condition",
  input: "The input",
  data: "The input",
  source: "The source",
  version: "The version",
  procedureId: "The procedure",
  event: "The event",
};

/** A fault with the place that a pointer names, as people call it: "The input amount is missing." */
export function placeWords(path: string, message: string): string {
  const [first = "", ...rest] = path.split("/").slice(1);
  const names = rest.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const place = [places[first] ?? first, names.join(" › ")].filter((part) => part !== "").join(" ");
  return `${place} ${message}`.trim().replace(/[.:]?$/, ".");
}
