/** A value's JSON, made already. */
export interface JsonText<Value> {
  readonly [made]: true;
  readonly json: string;
  /** Of which type the value is; there is nothing at run time. */
  readonly value?: Value;
}

const made = Symbol("JSON text");

export function isJsonText(body: unknown): body is JsonText<unknown> {
  return typeof body === "object" && body !== null && made in body;
}

/** Characters that are made at once: a millisecond's work. */
const charactersAtOnce = 256 * 1024;

/**
 * Makes JSON of an object with long lists, item by item, with a pause after each slice: of 16 MB in one piece nobody else is
 * answered for 100 ms.
 */
export async function jsonInSlices<Value extends object>(
  value: Value,
  pause: () => Promise<void>,
): Promise<JsonText<Value>> {
  const members: string[] = [];
  let slice = 0;
  const textOf = async (part: unknown): Promise<string | undefined> => {
    const json = JSON.stringify(part) as string | undefined;
    slice += json?.length ?? 0;
    if (slice < charactersAtOnce) return json;
    await pause();
    slice = 0;
    return json;
  };
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const json = Array.isArray(member) ? await listInSlices(member, textOf) : await textOf(member);
    if (json !== undefined) members.push(`${JSON.stringify(name)}:${json}`);
  }
  return { [made]: true, json: `{${members.join(",")}}` };
}

async function listInSlices(
  items: readonly unknown[],
  textOf: (item: unknown) => Promise<string | undefined>,
): Promise<string> {
  const texts: string[] = [];
  for (const item of items) texts.push((await textOf(item)) ?? "null");
  return `[${texts.join(",")}]`;
}
