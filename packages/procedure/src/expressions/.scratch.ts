import { compileExpression } from "./compile-expression.ts";
import { compileTemplate } from "./compile-template.ts";
import { scopeTypes } from "./scope-types.ts";
const types = scopeTypes({ input: { type: "object", properties: { amount: { type: "integer" }, lines: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } } } }, outputs: new Map([["a", undefined]]) });
const scope = { input: { amount: 1200, lines: Array.from({length:100}, (_, n) => ({ n })) }, nodes: { a: { output: { id: "x" } } }, run: {} as never };
const T = compileTemplate({ order: "{{ input }}", id: "{{ nodes.a.output.id }}" }, types);
const C = compileTemplate({ order: [1,2,{a:"b"}], id: "x" }, types);
const x = (s: string) => { const c = compileExpression(s, types); if (!c.ok) throw new Error(); return () => c.expression.evaluate(scope); };
for (const [name, f, n] of [["input.amount > 1000.0", x("input.amount > 1000.0"), 5e6], ["input.amount > 1000", x("input.amount > 1000"), 5e6], ["nodes.a.output.id", x("nodes.a.output.id"), 5e6], ["100 lines all", x("input.lines.all(l, l.n >= 0 && l.n < 1000)"), 2e5], ["decimal", x("decimal('12.50') * 3 > input.amount"), 1e6], ["render", () => T.ok && T.template.render(scope), 5e6], ["constant", () => C.ok && C.template.render(scope), 5e6], ["compile", () => compileExpression("input.amount * 2 > 1000 && nodes.a.output.id == 'x'", types), 1e5]] as const) {
  let best = 1e9; for (let k = 0; k < 5; k++) { const s = performance.now(); for (let i = 0; i < n; i++) f(); best = Math.min(best, (performance.now() - s) / n * 1e6); }
  console.log(name.padEnd(24), best.toFixed(0), "ns");
}
