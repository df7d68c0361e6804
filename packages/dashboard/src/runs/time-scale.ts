/* Places of moments on a time axis on which long waits take little room. */

export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** A stretch of the axis. A collapsed one has the same width, however long it lasted. */
export interface Stretch extends Interval {
  readonly isCollapsed: boolean;
  /** Its beginning and width, as shares of the axis. */
  readonly at: number;
  readonly width: number;
}

export interface TimeScale {
  readonly stretches: readonly Stretch[];
  /** The place of a moment, from 0 to 1. Moments outside are at the ends. */
  place(ms: number): number;
}

/** Share of the whole duration above which a stretch without work is collapsed. */
const idleShare = 0.1;
/** A shorter stretch is never collapsed: its length is none that a reader waits for. */
const shortIdleMs = 1_000;
/** Width of a collapsed stretch. */
const collapsedWidth = 0.12;

/**
 * Creates the scale of a run.
 *
 * @param work the times during which something was done, in any order
 * @param isCollapsing whether long stretches without work are collapsed
 */
export function timeScale(range: Interval, work: readonly Interval[], isCollapsing: boolean): TimeScale {
  const totalMs = Math.max(1, range.endMs - range.startMs);
  const idle = isCollapsing ? idleStretches(range, work).filter((gap) => isLong(gap, totalMs)) : [];
  const allParts = split(range, idle);
  // Without any work there is nothing to make room for.
  const parts = allParts.some(({ isCollapsed }) => !isCollapsed) ? allParts : split(range, []);
  const collapsed = parts.filter(({ isCollapsed }) => isCollapsed).length;
  const shownMs = parts.reduce((sum, part) => sum + (part.isCollapsed ? 0 : lengthOf(part)), 0);
  const room = 1 - collapsed * collapsedWidth;
  let at = 0;
  const stretches = parts.map((part): Stretch => {
    const width = part.isCollapsed ? collapsedWidth : shownMs === 0 ? room : (room * lengthOf(part)) / shownMs;
    const stretch = { ...part, at, width };
    at += width;
    return stretch;
  });
  return { stretches, place: (ms) => placeOf(stretches, ms) };
}

function placeOf(stretches: readonly Stretch[], ms: number): number {
  for (const stretch of stretches) {
    if (ms > stretch.endMs) continue;
    const share = (ms - stretch.startMs) / Math.max(1, lengthOf(stretch));
    return stretch.at + Math.max(0, share) * stretch.width;
  }
  return 1;
}

function isLong(gap: Interval, totalMs: number): boolean {
  return lengthOf(gap) > shortIdleMs && lengthOf(gap) > idleShare * totalMs;
}

function idleStretches(range: Interval, work: readonly Interval[]): readonly Interval[] {
  const gaps: Interval[] = [];
  let reachedMs = range.startMs;
  for (const { startMs, endMs } of work.toSorted((a, b) => a.startMs - b.startMs)) {
    if (startMs > reachedMs) gaps.push({ startMs: reachedMs, endMs: Math.min(startMs, range.endMs) });
    reachedMs = Math.max(reachedMs, endMs);
  }
  if (reachedMs < range.endMs) gaps.push({ startMs: reachedMs, endMs: range.endMs });
  return gaps;
}

function split(range: Interval, idle: readonly Interval[]): readonly (Interval & { readonly isCollapsed: boolean })[] {
  const parts: (Interval & { readonly isCollapsed: boolean })[] = [];
  let fromMs = range.startMs;
  for (const gap of idle) {
    if (gap.startMs > fromMs) parts.push({ startMs: fromMs, endMs: gap.startMs, isCollapsed: false });
    parts.push({ ...gap, isCollapsed: true });
    fromMs = gap.endMs;
  }
  if (fromMs < range.endMs || parts.length === 0)
    parts.push({ startMs: fromMs, endMs: range.endMs, isCollapsed: false });
  return parts;
}

function lengthOf({ startMs, endMs }: Interval): number {
  return endMs - startMs;
}
