import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import type { Environment } from "../api/models.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { useToast } from "../ui/toasts.tsx";
import { partIdOf, type StepPart } from "./step-part.ts";
import type { TimelineRow } from "./timeline.ts";
import { runStep } from "./use-runs.ts";

interface StepShortcuts {
  readonly environment: Environment;
  readonly runId: string;
  readonly rows: readonly TimelineRow[];
  readonly selected: TimelineRow | undefined;
  readonly onSelect: (key: string) => void;
}

/** The keys of the timeline: to move between steps, to their parts, and to copy the output. */
export function useStepShortcuts(shown: StepShortcuts): void {
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const move = (by: number): void => {
      const { rows, selected, onSelect } = latest.current;
      const row = rows[Math.min(Math.max(0, rows.findIndex(({ key }) => key === selected?.key) + by), rows.length - 1)];
      if (row !== undefined) onSelect(row.key);
    };
    const goTo = (part: StepPart) => () => {
      const heading = document.getElementById(partIdOf(part));
      heading?.scrollIntoView({ block: "nearest" });
      heading?.focus();
    };
    const copy = async (): Promise<void> => {
      const { environment, runId, selected } = latest.current;
      if (selected === undefined) return;
      const { output, input } = await queryClient.ensureQueryData(runStep(environment, runId, selected.step));
      const [what, value] = output === undefined ? ["Input", input] : ["Output", output];
      if (value === undefined) return toast("This step has no value to copy.");
      await navigator.clipboard.writeText(JSON.stringify(value, undefined, 2));
      toast(`${what} of “${selected.title}” copied.`);
    };
    const openReview = (): void => {
      const { environment, selected } = latest.current;
      const reviewId = selected?.step.reviewId;
      if (reviewId === undefined) return toast("This step asked for no review.");
      void navigate({ to: "/$environment/reviews/$reviewId", params: { environment, reviewId } });
    };
    return [
      { keys: "j", does: "Next step", run: () => move(1) },
      { keys: "k", does: "Previous step", run: () => move(-1) },
      { keys: "o", does: "Go to the output of the step", run: goTo("output") },
      { keys: "i", does: "Go to the input of the step", run: goTo("input") },
      { keys: "c", does: "Copy the output of the step", run: () => void copy() },
      { keys: "r", does: "Open the review of the step", run: openReview },
    ];
  }, [queryClient, navigate, toast]);
  useShortcuts(shortcuts);
}
