import type { JsonValue } from "../values/json-lines.ts";

/** The origin of an argument, or of a part of it, in words. */
export interface ArgumentOrigin {
  /** Place within the argument; empty for the whole of it. */
  readonly within: string;
  readonly words: string;
  /** Whether a model wrote it. */
  readonly isFromModel: boolean;
}

/** The origins of one argument, from the origins by JSON pointer. */
export function originsOf(name: string, origins: Readonly<Record<string, JsonValue>>): readonly ArgumentOrigin[] {
  const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return Object.entries(origins)
    .filter(([at]) => at === pointer || at.startsWith(`${pointer}/`))
    .map(([at, origin]) => ({ within: at.slice(pointer.length), ...told(origin) }));
}

function told(origin: JsonValue): Pick<ArgumentOrigin, "words" | "isFromModel"> {
  if (origin === "agent") return { words: "written by the agent", isFromModel: true };
  if (origin === "procedure") return { words: "fixed by the procedure", isFromModel: false };
  if (!Array.isArray(origin)) return { words: JSON.stringify(origin), isFromModel: false };
  const sources = origin as readonly JsonValue[];
  return {
    words: sources.map(sourceWords).join(", "),
    isFromModel: sources.some((source) => memberOf(source, "from") === "agent"),
  };
}

const kinds: Readonly<Record<string, string>> = {
  input: "input of the run",
  run: "facts of the run",
  service: "answer of a service",
  agent: "step of an agent",
  person: "decision of a person",
  procedure: "branch of the procedure",
};

function sourceWords(source: JsonValue): string {
  const [path, from] = [memberOf(source, "path"), memberOf(source, "from")];
  if (typeof path !== "string" || typeof from !== "string") return JSON.stringify(source);
  return `from ${path} (${kinds[from] ?? from})`;
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value as JsonValue | undefined;
}
