import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { PatternTests } from "./ajv-drafts.ts";
import { compileLinearPattern } from "./linear-pattern.ts";
import { isObject } from "./schema-walk.ts";

/**
 * Maximum number of characters of all distinct patterns of a schema: a class such as `\\pL` takes 10 microseconds per
 * character.
 */
const maxPatternCharacters = 10_000;
/** Maximum number of instructions of all distinct patterns of a schema. */
const maxPatternInstructions = 20_000;

/**
 * Compiles the patterns of schemas, each source once. Patterns that cannot be compiled, and those beyond the limits of
 * the schema, become problems with their places.
 */
export function compilePatterns(schemas: Iterable<{ readonly path: string; readonly schema: JsonObject }>): {
  readonly patterns: PatternTests;
  readonly problems: readonly ErrorDetail[];
} {
  const patterns = new Map<string, PatternTests extends ReadonlyMap<string, infer Test> ? Test : never>();
  const failures = new Map<string, string>();
  const problems: ErrorDetail[] = [];
  let characters = 0;
  let instructions = 0;
  for (const { path, schema } of schemas) {
    for (const { keywords, source } of patternsOf(schema)) {
      if (!patterns.has(source) && !failures.has(source)) {
        characters += source.length;
        if (characters > maxPatternCharacters || instructions > maxPatternInstructions) {
          failures.set(source, tooMany);
        } else {
          const compiled = compileLinearPattern(source);
          if (compiled.ok) {
            instructions += compiled.instructions;
            patterns.set(source, compiled.test);
          } else failures.set(source, compiled.message);
        }
      }
      const message = failures.get(source);
      if (message !== undefined) problems.push({ path: path + jsonPointer(keywords), message });
    }
  }
  return { patterns, problems };
}

const tooMany =
  `is one too many: all patterns of a schema may have ${maxPatternCharacters} characters and make ` +
  `${maxPatternInstructions} instructions; write fewer or shorter patterns, or use minLength, maxLength and enum.`;

function* patternsOf(schema: JsonObject): Generator<{ keywords: readonly string[]; source: string }> {
  const { pattern, patternProperties } = schema;
  if (typeof pattern === "string") yield { keywords: ["pattern"], source: pattern };
  if (!isObject(patternProperties)) return;
  for (const source of Object.keys(patternProperties)) yield { keywords: ["patternProperties", source], source };
}
