import { _, type Ajv, type CodeGen, type Format, type KeywordCxt, type Name } from "ajv";
import { Type } from "ajv/dist/compile/util.js";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { applicationCost, wholeOf, type SchemaWhole } from "./application-cost.ts";
import type { CheckBudget } from "./check-budget.ts";
import { isExactMultiple } from "./exact-multiple.ts";
import { firstEqualItems, membershipOf } from "./json-equality.ts";
import { addNumberKeyword, isSameNumber } from "./number-keyword.ts";
import { allSchemas } from "./schema-walk.ts";

/**
 * Keywords with which ajv's generated code spends the budget of a check.
 *
 * Each schema that checks more than its value's kind, order or size gets a keyword that deducts its cost when it is
 * applied. ajv's own keywords are replaced if their time grows faster than the value.
 */
const costKeyword = "procedo:cost";

/** Adds the cost keyword to each schema that has a cost; returns the visited schemas. */
export function addCosts(schema: JsonObject): ReadonlySet<unknown> {
  const whole = wholeOf(schema);
  const known = new Set<unknown>();
  for (const { schema: at } of [...allSchemas(schema)]) {
    known.add(at);
    if (applicationCost(at, whole) !== undefined) Object.assign(at, { [costKeyword]: whole });
    else Reflect.deleteProperty(at, costKeyword);
  }
  return known;
}

/** Makes an ajv instance count its steps. */
export function addCountedKeywords(ajv: Ajv, budget: CheckBudget): void {
  const spend = (steps: number): void => budget.spend(steps);
  countApplications(ajv, budget);
  resetErrorsOfContains(ajv);
  countFormats(ajv, spend);
  addNumberKeyword(ajv, budget);
  for (const keyword of ["enum", "const", "uniqueItems", "multipleOf"]) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: "enum",
    schemaType: "array",
    error: {
      message: "must be equal to one of the allowed values",
      params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }`,
    },
    code: (cxt) => failUnlessAmong(cxt, cxt.schema as readonly JsonValue[]),
  });
  ajv.addKeyword({
    keyword: "const",
    error: { message: "must be equal to constant", params: ({ schemaCode }) => _`{ allowedValue: ${schemaCode} }` },
    code: (cxt) => failUnlessAmong(cxt, [cxt.schema as JsonValue]),
  });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not hold equal items", params: ({ params }) => _`${params["equal"]}` },
    code(cxt) {
      if (cxt.schema !== true) return;
      const find = cxt.gen.scopeValue("func", { ref: (items: readonly JsonValue[]) => firstEqualItems(items, spend) });
      const equal = cxt.gen.const("equal", _`${find}(${cxt.data})`);
      cxt.setParams({ equal });
      cxt.fail(_`${equal} !== undefined`);
    },
  });
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    compile: (factor: number) => (value: number) => isExactMultiple(value, factor, spend),
    error: { params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }`, message: "must be a multiple" },
  });

  function failUnlessAmong(cxt: KeywordCxt, values: readonly JsonValue[]): void {
    const isMember = membershipOf(values);
    const isAmong = (value: JsonValue | symbol): boolean =>
      typeof value === "symbol" ? values.some((one) => isSameNumber(one, value)) : isMember(value, spend);
    const among = cxt.gen.scopeValue("func", { ref: isAmong });
    cxt.fail(_`!${among}(${cxt.data})`);
  }
}

function countApplications(ajv: Ajv, budget: CheckBudget): void {
  const countedGenerators = new WeakSet<CodeGen>();
  const [first] = ajv.RULES.rules[0]?.rules ?? [];
  ajv.addKeyword({
    keyword: costKeyword,
    // Before all other keywords, so that no unpaid work is done.
    ...(first === undefined ? {} : { before: first.keyword }),
    code({ gen, data, schema, parentSchema }) {
      const cost = applicationCost(parentSchema, schema as SchemaWhole);
      if (cost === undefined) return;
      const spent = gen.scopeValue("obj", { ref: budget });
      if (!countedGenerators.has(gen)) {
        countedGenerators.add(gen);
        countErrors(gen, spent);
      }
      let steps = _`${cost.fixed}`;
      if (cost.perItem > 0) steps = _`${steps} + (Array.isArray(${data}) ? ${data}.length * ${cost.perItem} : 0)`;
      if (cost.readsText) steps = _`${steps} + (typeof ${data} == "string" ? ${data}.length >>> 3 : 0)`;
      if (cost.perKey > 0) steps = _`${steps} + ${spent}.stepsOfKeys(${data}) * ${cost.perKey}`;
      gen.if(_`(${spent}.left -= ${steps}) < 0`, () => gen.code(_`${spent}.end()`));
    },
  });
}

/**
 * Adds a cost to each violation, and to its propagation through `$ref`s. ajv does not announce errors, but its
 * generated code counts them: `errors++` for its own, and `errors = vErrors.length` after those of a reference were
 * appended.
 */
function countErrors(gen: CodeGen, budget: Name): void {
  const code = gen.code.bind(gen);
  const assign = gen.assign.bind(gen);
  const spend = () => code(_`${budget}.spendViolation()`);
  gen.code = (written) => {
    code(written);
    if (typeof written !== "function" && String(written) === "errors++") spend();
    return gen;
  };
  gen.assign = (name, value, sideEffects) => {
    assign(name, value, sideEffects);
    if (String(name) === "errors" && String(value) === "vErrors.length") {
      code(_`${budget}.left -= ${value} >>> 2`);
      spend();
    }
    return gen;
  };
}

/** Items that do not match are not violations: they are discarded one by one instead of together at the end. */
function resetErrorsOfContains(ajv: Ajv): void {
  const contains = ajv.getKeyword("contains");
  if (typeof contains !== "object" || !("code" in contains)) return;
  ajv.removeKeyword("contains");
  ajv.addKeyword({
    ...contains,
    code(cxt, ruleType) {
      const subschema = cxt.subschema.bind(cxt);
      cxt.subschema = (application, valid) => {
        const applied = subschema(application, valid);
        cxt.reset();
        return applied;
      };
      if (asksForOne(cxt)) containsOne(cxt);
      else contains.code(cxt, ruleType);
    },
  });
}

function asksForOne({ it, parentSchema }: KeywordCxt): boolean {
  const { minContains = 1, maxContains } = parentSchema as JsonObject;
  return it.opts.next !== true || (minContains === 1 && maxContains === undefined);
}

/**
 * The library's own code, except for its variable, which keeps a value from the previous list: an empty list would then
 * match after another one.
 */
function containsOne(cxt: KeywordCxt): void {
  const { gen, data, it } = cxt;
  cxt.setParams({ min: 1, max: undefined });
  it.items = true;
  const isFound = gen.let("found", false);
  const isFitting = gen.name("fitting");
  gen.forRange("i", 0, _`${data}.length`, (index) => {
    cxt.subschema({ keyword: "contains", dataProp: index, dataPropType: Type.Num, compositeRule: true }, isFitting);
    gen.if(isFitting, () => gen.assign(isFound, true).break());
  });
  cxt.result(isFound, () => cxt.reset());
}

/** Formats take linear time; one step covers two characters at worst. */
function countFormats(ajv: Ajv, spend: (steps: number) => void): void {
  // The library's "url" takes quadratic time; "uri" has the meaning that authors expect from it.
  const uri = ajv.formats["uri"];
  if (uri !== undefined) ajv.addFormat("url", uri);
  for (const [name, format] of Object.entries(ajv.formats)) {
    const test = textTest(format);
    if (test === undefined) continue;
    ajv.addFormat(name, (text: string) => {
      spend(10 + (text.length >>> 1));
      return test(text);
    });
  }
}

function textTest(format: Format | undefined): ((text: string) => boolean) | undefined {
  if (typeof format === "function") return format;
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format !== "object" || format.async === true || format.type === "number") return undefined;
  const { validate } = format;
  return textTest(validate as Format);
}
