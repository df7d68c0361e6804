import type { Environment, JsonValue, TriggerProblem } from "@procedo/contract";
import { compileMapping, type Mapping } from "@procedo/procedure";
import { mappingScope, mappingTypes, type Occurrence } from "./mapping-scope.ts";
import { eventSchemaOf, sourceConnection, type SourceEventPorts } from "./source-events.ts";
import type { StoredTrigger } from "./stored-triggers.ts";
import type { TriggerAddress } from "./triggers.ts";

/** What a mapping makes of an occurrence. */
export type Mapped =
  | { readonly kind: "filtered" }
  | { readonly kind: "input"; readonly input: JsonValue }
  /** Pointers into the trigger, with the expression that failed. */
  | { readonly kind: "failed"; readonly problems: readonly TriggerProblem[] };

/** A trigger as far as its mapping reads it. */
export interface MappedTrigger extends TriggerAddress {
  readonly body: Pick<StoredTrigger["body"], "name" | "source" | "when" | "input">;
}

/** Evaluates the mapping of a trigger for one occurrence. Has no effect. */
export async function evaluateMapping(
  ports: SourceEventPorts,
  { environment, triggerId, body }: MappedTrigger,
  occurrence: Occurrence,
): Promise<Mapped> {
  const compiled = await mappingOf(ports, environment, body);
  if (!compiled.ok) return { kind: "failed", problems: compiled.problems };
  return applied(compiled.mapping, mappingScope({ triggerId, ...body }, occurrence));
}

function applied(mapping: Mapping, scope: Parameters<Mapping["input"]>[0]): Mapped {
  const matches = mapping.matches(scope);
  if (!matches.ok) return failed("/when", matches.message);
  if (matches.value !== true) return { kind: "filtered" };
  const made = mapping.input(scope);
  if (!made.ok) return failed("/input", made.message);
  return { kind: "input", input: made.value ?? {} };
}

/**
 * Compiles the stored mapping with the present schema of its events, which decides how their numbers are read. It takes
 * less time than the read of the trigger before it.
 */
async function mappingOf(ports: SourceEventPorts, environment: Environment, body: MappedTrigger["body"]) {
  const { source } = body;
  const schema =
    source.kind === "integration"
      ? eventSchemaOf(source, (await sourceConnection(ports, environment, source.connection))?.inbound)
      : undefined;
  return compileMapping(body, mappingTypes(source, schema), undefined);
}

/** The message of a template begins with the place within it: `/amount: event.amout …`. */
function failed(path: string, message: string): Mapped {
  const [, place = "", rest = message] = /^(\/[^\s:]*): ([^]*)$/.exec(message) ?? [];
  return { kind: "failed", problems: [{ path: `${path}${place}`, message: rest }] };
}
