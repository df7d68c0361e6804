import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedApi, ImportedOperation } from "../openapi/imported-api.ts";
import { isObject } from "../openapi/schema/json-object.ts";
import { inSlices } from "./in-slices.ts";

/**
 * An imported API in transfer between threads: the JSON texts of its parts, one after another. A structured clone would
 * block the receiving thread as long as reading the document. This buffer is transferred without a copy, and each part
 * is parsed on first use. A definition that several schemas share is one part.
 */
export interface PackedApi extends Omit<ImportedApi, "operations"> {
  /** UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The start of each part, and the end of the last one. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** Index of the part with the names of the operations. The two parts of each operation follow, in order. */
  readonly names: number;
}

/** The data of lists and searches. */
type Head = Omit<ImportedOperation, "name" | "input" | "output" | "inputs" | "body" | "accept" | "answersJson">;

interface Details extends Pick<ImportedOperation, "inputs" | "accept" | "answersJson"> {
  readonly input: PackedSchema;
  readonly body: ImportedOperation["body"] | null;
  /** The part with its schema. */
  readonly output: number | null;
}

interface PackedSchema {
  readonly schema: JsonObject;
  /** Names under `$defs`, with the parts that contain them. */
  readonly definitions: readonly (readonly [name: string, part: number])[];
}

export function packApi({ operations, ...api }: ImportedApi): PackedApi {
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const add = (value: unknown): number => parts.push(encoder.encode(JSON.stringify(value))) - 1;
  const shared = new Map<JsonValue, number>();
  const addOnce = (key: JsonValue, value: () => unknown): number => {
    const known = shared.get(key) ?? add(value());
    shared.set(key, known);
    return known;
  };
  const pack = ({ $defs, ...schema }: JsonObject): PackedSchema => {
    if (!isObject($defs)) return { schema: { ...schema, ...($defs !== undefined && { $defs }) }, definitions: [] };
    const definitions = Object.entries($defs).map(([name, one]) => [name, addOnce(one, () => one)] as const);
    return { schema, definitions };
  };
  const packed = operations.map((operation): [Head, Details] => {
    const { name: _listed, input, output, inputs, body, accept, answersJson, ...head } = operation;
    const answer = output === undefined ? null : addOnce(output, () => pack(output));
    return [head, { input: pack(input), output: answer, accept, answersJson, inputs, body: body ?? null }];
  });
  const names = add(operations.map(({ name }) => name));
  for (const [head, details] of packed) {
    add(head);
    add(details);
  }
  return { ...api, ...joined(parts), names };
}

function joined(parts: readonly Uint8Array[]): Pick<PackedApi, "bytes" | "offsets"> {
  const offsets = new Uint32Array(parts.length + 1);
  let end = 0;
  for (const [index, part] of parts.entries()) offsets[index + 1] = end += part.length;
  const bytes = new Uint8Array(end);
  for (const [index, part] of parts.entries()) bytes.set(part, offsets[index]);
  return { bytes, offsets };
}

/** Unpacks the API. Only the names are parsed immediately. */
export async function unpackApi({ bytes, offsets, names, ...api }: PackedApi): Promise<ImportedApi> {
  const decoder = new TextDecoder();
  const read = <Value>(part: number): Value =>
    JSON.parse(decoder.decode(bytes.subarray(offsets[part], offsets[part + 1]))) as Value;
  const known = new Map<number, JsonObject>();
  const once = (part: number, make: () => JsonObject): JsonObject => {
    const value = known.get(part) ?? make();
    known.set(part, value);
    return value;
  };
  const unpack = ({ schema, definitions }: PackedSchema): JsonObject => {
    if (definitions.length === 0) return schema;
    const $defs = definitions.map(([name, part]) => [name, once(part, () => read(part))] as const);
    return { ...schema, $defs: Object.fromEntries($defs) };
  };
  const outputAt = (part: number): JsonObject => once(part, () => unpack(read(part)));
  const operations = await inSlices(read<readonly string[]>(names), (name, index) => {
    const at = names + 1 + 2 * index;
    return operationOf(name, { head: () => read(at), details: () => read(at + 1), unpack, outputAt });
  });
  return { ...api, operations };
}

function operationOf(
  name: string,
  from: {
    readonly head: () => Head;
    readonly details: () => Details;
    readonly unpack: (schema: PackedSchema) => JsonObject;
    readonly outputAt: (part: number) => JsonObject;
  },
): ImportedOperation {
  let knownHead: Head | undefined;
  let knownDetails: Details | undefined;
  let input: JsonObject | undefined;
  const head = (): Head => (knownHead ??= from.head());
  const details = (): Details => (knownDetails ??= from.details());
  return {
    name,
    get operationId() {
      return head().operationId;
    },
    get method() {
      return head().method;
    },
    get path() {
      return head().path;
    },
    get pointer() {
      return head().pointer;
    },
    get description() {
      return head().description;
    },
    get deprecated() {
      return head().deprecated;
    },
    get effect() {
      return head().effect;
    },
    get input() {
      return (input ??= from.unpack(details().input));
    },
    get output() {
      const { output } = details();
      return output === null ? undefined : from.outputAt(output);
    },
    get accept() {
      return details().accept;
    },
    get answersJson() {
      return details().answersJson;
    },
    get inputs() {
      return details().inputs;
    },
    get body() {
      return details().body ?? undefined;
    },
  };
}
