import type { State } from "./state.ts";

/** The line of docs/dashboard.md after which the sheet stands. */
export const sheetStart = "<!-- sheet: pnpm dashboard:screenshots -->";

/** The document with the sheet of the states after its mark. */
export function sheet(document: string, states: readonly Pick<State, "name" | "caption">[]): string {
  const end = document.indexOf(sheetStart);
  if (end === -1) throw new Error(`The document has no line ${sheetStart}`);
  const rows = states.map(({ name, caption }) => {
    return `| ![${caption}, light](dashboard/${name}.png) | ![${caption}, dark](dashboard/${name}-dark.png) |`;
  });
  return `${document.slice(0, end)}${sheetStart}\n\n| light | dark |\n| --- | --- |\n${rows.join("\n")}\n`;
}
