/*
 * Compares the entries of a record's row with its body, whose digest is signed. A body states facts by their names, and
 * data by JSON pointers; `refs` names the places of data that an earlier entry holds, as `row/entry/pointer`. Members
 * that a body leaves out follow from other members, and are not compared.
 */

interface GivenRow {
  readonly seq: number;
  readonly body: string;
  readonly entries: readonly unknown[];
}

/** Whether all that the body of a row states is in its entries. `rows` are those of the record. */
export function entriesFit({ body, entries }: GivenRow, rows: readonly GivenRow[]): boolean {
  const [beginsAtMs, ...stored] = JSON.parse(body) as readonly [number, ...Readonly<Record<string, unknown>>[]];
  if (stored.length !== entries.length) return false;
  let atMs = beginsAtMs;
  return stored.every(({ refs = {}, afterMs = 0, ...members }, index) => {
    const entry = entries[index];
    atMs = (members["atMs"] as number | undefined) ?? atMs + (afterMs as number);
    if (valueAt(entry, "/atMs") !== atMs) return false;
    const isStated = Object.entries(members).every(([name, member]) =>
      name.startsWith("/") ? includes(valueAt(entry, name), member) : includes(memberOf(entry, name), member),
    );
    return (
      isStated && Object.entries(refs as object).every(([at, place]) => isAt(rows, String(place), valueAt(entry, at)))
    );
  });
}

function isAt(rows: readonly GivenRow[], place: string, value: unknown): boolean {
  const [seq = "", index = ""] = place.split("/", 2);
  const entry = rows.find((row) => row.seq === Number(seq))?.entries[Number(index)];
  const referred = valueAt(entry, place.slice(seq.length + index.length + 1));
  return referred !== undefined && includes(value, referred) && includes(referred, value);
}

/** Whether a value has everything that is stated. It may have more members, also at deeper levels. */
function includes(value: unknown, stated: unknown): boolean {
  if (typeof stated !== "object" || stated === null) return value === stated;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(stated)) {
    return (
      Array.isArray(value) &&
      value.length === stated.length &&
      stated.every((item, index) => includes(value[index], item))
    );
  }
  return Object.entries(stated).every(([name, member]) => includes(memberOf(value, name), member));
}

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce(memberOf, value);
}

function memberOf(value: unknown, name: string): unknown {
  const isHeld = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isHeld ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
