import { useQueryClient } from "@tanstack/react-query";
import { Download, X } from "lucide-react";
import { useEffect, useRef, useState, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { messageOf } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { saveFile } from "../values/save-file.ts";
import { runsCsv } from "./runs-csv.ts";
import { allRuns, type RunList } from "./use-run-list.ts";

/** Saves all runs of the list as CSV, not only those that are shown. */
export function ExportRuns({ list }: { readonly list: RunList }): ReactElement {
  const client = useQueryClient();
  const showToast = useToast();
  const [count, setCount] = useState<number>();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const save = async (): Promise<void> => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setCount(0);
    try {
      const runs = await allRuns(list, { client, signal, onCount: setCount });
      saveFile(`runs-${list.environment}-${new Date().toISOString().slice(0, 10)}.csv`, runsCsv(runs), "text/csv");
      showToast(`Exported ${inWords(runs.length)}.`);
    } catch (error) {
      showToast(
        signal.aborted ? "The export was stopped. No file was saved." : `The export failed. ${messageOf(error)}`,
      );
    } finally {
      setCount(undefined);
    }
  };
  if (count === undefined) {
    return (
      <Button variant="quiet" icon={Download} onClick={() => void save()}>
        Export CSV
      </Button>
    );
  }
  return (
    <>
      <span role="status" className="text-text-2 tabular-nums">
        Reading, {inWords(count)} …
      </span>
      <Button variant="quiet" icon={X} onClick={() => stop.current.abort()}>
        Stop
      </Button>
    </>
  );
}

function inWords(count: number): string {
  return count === 1 ? "1 run" : `${count.toLocaleString("en")} runs`;
}
