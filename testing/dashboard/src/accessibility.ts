import axe from "axe-core";
import type { Page } from "playwright-core";

/** Rules of WCAG 2.2 AA that the page breaks with serious or critical effect. */
export async function seriousProblems(page: Page): Promise<readonly string[]> {
  // The page's policy refuses added script elements, which evaluation does not need.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(async () => {
    const { axe: loaded, scrollTo } = globalThis as unknown as {
      axe: typeof axe;
      scrollTo: (left: number, top: number) => void;
    };
    // A target that has scrolled under the band of the environment counts as covered.
    scrollTo(0, 0);
    const tags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
    return await loaded.run({ runOnly: { type: "tag", values: tags } });
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
    );
}
