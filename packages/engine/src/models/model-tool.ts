import type { JsonObject } from "@procedo/contract";
import type { OfferedTool } from "./model-request.ts";
import { fitToolName } from "./model-names.ts";
import type { ProviderFamily } from "./model-provider.ts";
import { fitsStrict } from "./model-strict.ts";
import { offeredSchema } from "./offered-schema.ts";
import { providerSchema } from "./provider-schema.ts";

/** An offered tool in the AI SDK's shape. */
export interface SdkTool {
  type: "function";
  name: string;
  description: string;
  inputSchema: JsonObject;
  strict?: boolean;
}

/** OpenAI refuses a longer description. */
const mostDescriptionChars = 1_024;

/** Keywords that OpenAI and Anthropic refuse at the root of a tool's schema, beside `type: "object"`. */
const notAtTheRoot = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"];

/**
 * The tool in a form that providers accept. Keywords that they refuse at the root of a schema move to the description
 * if there is room; the engine validates the arguments in any case. Pure.
 */
export function sdkTool({ name, description, input, names }: OfferedTool, family: ProviderFamily): SdkTool {
  const { $schema: _dialect, ...schema } = names === undefined ? input : offeredSchema(input, names);
  const root = Object.entries({ ...schema, type: "object" });
  const rootRules = Object.fromEntries(root.filter(([keyword]) => notAtTheRoot.includes(keyword)));
  const kept = providerSchema(Object.fromEntries(root.filter(([keyword]) => !notAtTheRoot.includes(keyword))));
  const strict = fitsStrict(kept, family);
  return {
    type: "function",
    name: fitToolName(name),
    description: describe(description, rootRules),
    inputSchema: kept,
    // OpenAI's Responses API rewrites the schema unless `strict` is given.
    ...(strict || family === "openai" ? { strict } : {}),
  };
}

function describe(description: string, rootRules: JsonObject): string {
  const rules = `The arguments also have to fit this JSON Schema: ${JSON.stringify(rootRules)}`;
  const whole = Object.keys(rootRules).length === 0 ? description : `${description}\n${rules}`;
  const shown = whole.length > mostDescriptionChars ? description : whole;
  if (shown.length <= mostDescriptionChars) return shown;
  return `${shown.slice(0, mostDescriptionChars - 1).toWellFormed()}…`;
}
