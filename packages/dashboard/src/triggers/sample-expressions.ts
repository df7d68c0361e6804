/** The most expressions that are offered. */
const most = 200;
const deepest = 5;

/** An expression for each value of a sample event: `{{ event.data.id }}`. */
export function sampleExpressions(event: unknown): readonly string[] {
  const found: string[] = [];
  collect(event, "event", 0, found);
  return found.map((path) => `{{ ${path} }}`);
}

/** The expressions that every schedule has. */
export const scheduleExpressions: readonly string[] = [
  "{{ schedule.date }}",
  "{{ schedule.local }}",
  "{{ schedule.scheduledAt }}",
  "{{ schedule.previousAt }}",
  "{{ schedule.timeZone }}",
];

function collect(value: unknown, path: string, depth: number, found: string[]): void {
  if (found.length >= most || depth > deepest) return;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (depth > 0) found.push(path);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const isName = /^[A-Za-z_]\w*$/.test(name);
    collect(member, isName ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`, depth + 1, found);
  }
}
